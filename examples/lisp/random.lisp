;;; Marsaglia's xorshift generators (2003), O'Neill's PCG (2014), and Blackman's and Vigna's xoshiro256**
;;; (2018). Each function takes the state to the next, and returns it; the later ones first what they put out.

(deftype u32 () '(unsigned-byte 32))
(deftype u64 () '(unsigned-byte 64))

(defun xorshift32 (x)
  (declare (type u32 x))
  (setf x (ldb (byte 32 0) (logxor x (ash x 13)))
        x (logxor x (ash x -17)))
  (ldb (byte 32 0) (logxor x (ash x 5))))

(defun xorshift64 (x)
  (declare (type u64 x))
  (setf x (ldb (byte 64 0) (logxor x (ash x 13)))
        x (logxor x (ash x -7)))
  (ldb (byte 64 0) (logxor x (ash x 17))))

(defun xorshift64* (x)
  "What the xorshift64* generator puts out, and its next state."
  (declare (type u64 x))
  (let* ((x (logxor x (ash x -12)))
         (x (ldb (byte 64 0) (logxor x (ash x 25))))
         (x (logxor x (ash x -27))))
    (values (ldb (byte 64 0) (* x #x2545f4914f6cdd1d)) x)))

(defun pcg32 (state increment)
  "PCG-XSH-RR: what it puts out, and its next state."
  (declare (type u64 state increment))
  (let ((mixed (ldb (byte 32 27) (logxor (ash state -18) state)))
        (turn (ash state -59)))
    (values (ldb (byte 32 0) (logior (ash mixed (- turn)) (ash mixed (mod (- turn) 32))))
            (ldb (byte 64 0) (+ (* state 6364136223846793005) (logior increment 1))))))

(defun pcg32-sum (state increment count)
  "The sum, modulo 2^64, of so many numbers."
  (declare (type u64 state increment) (type fixnum count))
  (let ((sum 0))
    (dotimes (k count)
      (multiple-value-bind (number next) (pcg32 state increment)
        (setf sum (ldb (byte 64 0) (+ sum number))
              state next)))
    sum))

(defun pcg64 (state increment)
  "PCG-XSL-RR: what it puts out, from the state that it goes to, and that state."
  (declare (type (unsigned-byte 128) state increment))
  (let* ((next (ldb (byte 128 0) (+ (* state #x2360ed051fc65da44385df649fccf645) (logior increment 1))))
         (mixed (logxor (ash next -64) (ldb (byte 64 0) next)))
         (turn (ash next -122)))
    (values (ldb (byte 64 0) (logior (ash mixed (- turn)) (ash mixed (mod (- turn) 64)))) next)))

(defun xoshiro256** (s0 s1 s2 s3)
  "What it puts out, and the next state."
  (declare (type u64 s0 s1 s2 s3))
  (flet ((turned (x count)
           (ldb (byte 64 0) (logior (ash x count) (ash x (- count 64))))))
    (let ((number (ldb (byte 64 0) (* 9 (turned (ldb (byte 64 0) (* 5 s1)) 7))))
          (kept (ldb (byte 64 0) (ash s1 17))))
      (setf s2 (logxor s2 s0)
            s3 (logxor s3 s1)
            s1 (logxor s1 s2)
            s0 (logxor s0 s3)
            s2 (logxor s2 kept)
            s3 (turned s3 45))
      (values number s0 s1 s2 s3))))

;;; Marsaglia's xorshift generators (2003) and O'Neill's PCG (2014). Each function takes the state to
;;; the next, and returns it; pcg32 also what it puts out.

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

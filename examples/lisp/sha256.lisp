;;; SHA-256 (FIPS 180-4): (sha256 octets) and (sha256-hex octets).

(deftype octets () '(simple-array (unsigned-byte 8) (*)))
(deftype words () '(simple-array u32 (*)))
(deftype u32 () '(unsigned-byte 32))

(declaim (inline ch maj rotate-right word-at big-sigma-0 big-sigma-1 small-sigma-0 small-sigma-1))

(defun rotate-right (x count)
  (declare (type u32 x) (type (integer 1 31) count))
  (logior (ash x (- count)) (ldb (byte 32 0) (ash x (- 32 count)))))

(defun ch (x y z)
  (logxor (logand x y) (logandc1 x z)))
(defun maj (x y z)
  (logxor (logand x y) (logand x z) (logand y z)))
(defun big-sigma-0 (x)
  (logxor (rotate-right x 2) (rotate-right x 13) (rotate-right x 22)))
(defun big-sigma-1 (x)
  (logxor (rotate-right x 6) (rotate-right x 11) (rotate-right x 25)))
(defun small-sigma-0 (x)
  (declare (type u32 x))
  (logxor (rotate-right x 7) (rotate-right x 18) (ash x -3)))
(defun small-sigma-1 (x)
  (declare (type u32 x))
  (logxor (rotate-right x 17) (rotate-right x 19) (ash x -10)))

(defun word-at (data index)
  "Four octets, the highest first."
  (declare (type octets data) (type fixnum index))
  (logior (ash (aref data index) 24)
          (ash (aref data (+ index 1)) 16)
          (ash (aref data (+ index 2)) 8)
          (aref data (+ index 3))))

(defun icbrt (n)
  "The integer part of the cube root."
  (loop with low = 0 and high = (ash 1 (1+ (ceiling (integer-length n) 3)))
        while (< (1+ low) high)
        do (let ((middle (ash (+ low high) -1)))
             (if (> (expt middle 3) n) (setq high middle) (setq low middle)))
        finally (return low)))

(defun primep (n)
  (loop for d from 2 to (isqrt n) never (zerop (mod n d))))

(defun first-primes (count)
  (loop with n = 1
        repeat count
        collect (loop do (incf n) until (primep n) finally (return n))))

;; The first 32 bits of the fractions of the first primes' cube roots and square roots.
(defparameter *constants*
  (coerce (loop for p in (first-primes 64) collect (ldb (byte 32 0) (icbrt (ash p 96))))
          '(simple-array (unsigned-byte 32) (*))))
(defparameter *initial-state*
  (coerce (loop for p in (first-primes 8) collect (ldb (byte 32 0) (isqrt (ash p 64))))
          '(simple-array (unsigned-byte 32) (*))))

(defun sha256-blocks (data end state)
  "Takes the blocks of data up to end, which is a multiple of 64, into the state."
  (declare (type octets data) (type fixnum end) (type words state))
  (let ((w (make-array 64 :element-type '(unsigned-byte 32) :initial-element 0))
        (k *constants*))
    (declare (type words k))
    (loop for start of-type fixnum from 0 below end by 64
          do (dotimes (i 16)
               (setf (aref w i) (word-at data (+ start (* 4 i)))))
             (loop for i from 16 below 64
                   do (setf (aref w i)
                            (ldb (byte 32 0)
                                 (+ (small-sigma-1 (aref w (- i 2))) (aref w (- i 7))
                                    (small-sigma-0 (aref w (- i 15))) (aref w (- i 16))))))
             (let ((a (aref state 0)) (b (aref state 1)) (c (aref state 2)) (d (aref state 3))
                   (e (aref state 4)) (f (aref state 5)) (g (aref state 6)) (h (aref state 7)))
               (declare (type u32 a b c d e f g h))
               (dotimes (i 64)
                 (let* ((t1 (+ h (big-sigma-1 e) (ch e f g) (aref k i) (aref w i)))
                        (t2 (+ (big-sigma-0 a) (maj a b c))))
                   (setf h g
                         g f
                         f e
                         e (ldb (byte 32 0) (+ d t1))
                         d c
                         c b
                         b a
                         a (ldb (byte 32 0) (+ t1 t2)))))
               (macrolet ((add (&rest variables)
                            `(setf ,@(loop for variable in variables
                                           for k from 0
                                           append `((aref state ,k)
                                                    (ldb (byte 32 0)
                                                         (+ (aref state ,k) ,variable)))))))
                 (add a b c d e f g h))))))

(defun last-blocks (data)
  "What follows the whole blocks of data, padded, with its length in bits."
  (declare (type octets data))
  (let* ((size (length data))
         (start (- size (mod size 64)))
         (rest (- size start))
         (padded (if (< rest 56) 64 128))
         (last (make-array padded :element-type '(unsigned-byte 8) :initial-element 0)))
    (replace last data :start2 start)
    (setf (aref last rest) #x80)
    (dotimes (k 8 last)
      (setf (aref last (- padded 1 k)) (ldb (byte 8 (* 8 k)) (* 8 size))))))

(defun sha256 (data)
  "The 32 octets of the digest."
  (declare (type octets data))
  (let ((state (copy-seq *initial-state*))
        (last (last-blocks data))
        (digest (make-array 32 :element-type '(unsigned-byte 8))))
    (sha256-blocks data (- (length data) (mod (length data) 64)) state)
    (sha256-blocks last (length last) state)
    (dotimes (k 32 digest)
      (setf (aref digest k) (ldb (byte 8 (* 8 (- 3 (mod k 4)))) (aref state (floor k 4)))))))

(defun sha256-hex (data)
  (declare (type octets data))
  (let ((digits "0123456789abcdef")
        (text (make-string 64)))
    (loop for octet across (sha256 data)
          for k from 0 by 2
          do (setf (char text k) (char digits (ash octet -4))
                   (char text (1+ k)) (char digits (ldb (byte 4 0) octet))))
    text))

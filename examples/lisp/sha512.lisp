;;; SHA-512 (FIPS 180-4): (sha512 octets).

(deftype octets () '(simple-array (unsigned-byte 8) (*)))
(deftype u64 () '(unsigned-byte 64))
(deftype words () '(simple-array u64 (*)))

(declaim (inline ch maj rotate-right word-at))

(defun rotate-right (x count)
  (declare (type u64 x) (type (integer 1 63) count))
  (logior (ash x (- count)) (ldb (byte 64 0) (ash x (- 64 count)))))

(defmacro define-mixer (name a b c &key shifted)
  `(progn (declaim (inline ,name))
          (defun ,name (x)
            (declare (type u64 x))
            (logxor (rotate-right x ,a) (rotate-right x ,b)
                    ,(if shifted `(ash x ,(- c)) `(rotate-right x ,c))))))

(define-mixer big-sigma-0 28 34 39)
(define-mixer big-sigma-1 14 18 41)
(define-mixer small-sigma-0 1 8 7 :shifted t)
(define-mixer small-sigma-1 19 61 6 :shifted t)

(defun ch (x y z)
  (declare (type u64 x y z))
  (logxor (logand x y) (logandc1 x z)))
(defun maj (x y z)
  (declare (type u64 x y z))
  (logxor (logand x y) (logand x z) (logand y z)))

(defun word-at (data index)
  "Eight octets, the highest first."
  (declare (type octets data) (type fixnum index))
  (let ((word 0))
    (dotimes (k 8 word)
      (setf word (logior (ldb (byte 64 0) (ash word 8)) (aref data (+ index k)))))))

(defun icbrt (n)
  "The integer part of the cube root."
  (loop with low = 0 and high = (ash 1 (1+ (ceiling (integer-length n) 3)))
        while (< (1+ low) high)
        do (let ((middle (ash (+ low high) -1)))
             (if (> (expt middle 3) n) (setq high middle) (setq low middle)))
        finally (return low)))

(defun first-primes (count)
  (loop for n from 2
        when (loop for d from 2 to (isqrt n) never (zerop (mod n d))) collect n into primes
        until (= (length primes) count)
        finally (return primes)))

;; The first 64 bits of the fractions of the first primes' cube roots and square roots.
(defparameter *constants*
  (coerce (loop for p in (first-primes 80) collect (ldb (byte 64 0) (icbrt (ash p 192))))
          '(simple-array (unsigned-byte 64) (*))))
(defparameter *initial-state*
  (coerce (loop for p in (first-primes 8) collect (ldb (byte 64 0) (isqrt (ash p 128))))
          '(simple-array (unsigned-byte 64) (*))))

(defun take-block (data start state)
  (declare (type octets data) (type fixnum start) (type words state))
  (let ((w (make-array 80 :element-type '(unsigned-byte 64)))
        (k *constants*))
    (declare (type words k))
    (dotimes (i 16)
      (setf (aref w i) (word-at data (+ start (* 8 i)))))
    (loop for i from 16 below 80
          do (setf (aref w i)
                   (mod (+ (small-sigma-1 (aref w (- i 2))) (aref w (- i 7))
                           (small-sigma-0 (aref w (- i 15))) (aref w (- i 16)))
                        (expt 2 64))))
    (let ((a (aref state 0)) (b (aref state 1)) (c (aref state 2)) (d (aref state 3))
          (e (aref state 4)) (f (aref state 5)) (g (aref state 6)) (h (aref state 7)))
      (declare (type u64 a b c d e f g h))
      (dotimes (i 80)
        (let* ((t1 (+ h (big-sigma-1 e) (ch e f g) (aref k i) (aref w i)))
               (t2 (+ (big-sigma-0 a) (maj a b c))))
          (setf h g
                g f
                f e
                e (mod (+ d t1) (expt 2 64))
                d c
                c b
                b a
                a (mod (+ t1 t2) (expt 2 64)))))
      (macrolet ((add (&rest variables)
                   `(progn ,@(loop for variable in variables
                                   for k from 0
                                   collect `(setf (aref state ,k)
                                                  (mod (+ (aref state ,k) ,variable) (expt 2 64)))))))
        (add a b c d e f g h)))))

(defun sha512 (data)
  "The 64 octets of the digest."
  (declare (type octets data))
  (let* ((size (length data))
         (rest (mod size 128))
         (state (copy-seq *initial-state*))
         (padded (if (< rest 112) 128 256))
         (last (make-array padded :element-type '(unsigned-byte 8) :initial-element 0))
         (digest (make-array 64 :element-type '(unsigned-byte 8))))
    (loop for start from 0 to (- size 128) by 128
          do (take-block data start state))
    (replace last data :start2 (- size rest))
    (setf (aref last rest) #x80)
    (dotimes (k 16)
      (setf (aref last (- padded 1 k)) (ldb (byte 8 (* 8 k)) (* 8 size))))
    (loop for start from 0 below padded by 128
          do (take-block last start state))
    (dotimes (k 64 digest)
      (setf (aref digest k) (ldb (byte 8 (- 56 (* 8 (mod k 8)))) (aref state (floor k 8)))))))

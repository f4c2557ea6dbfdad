;;; SHA-3 (FIPS 202): (sha3-256 octets) and (sha3-512 octets).

(deftype octets () '(simple-array (unsigned-byte 8) (*)))
(deftype u64 () '(unsigned-byte 64))
(deftype lanes () '(simple-array (unsigned-byte 64) (25)))

(defun round-constant (number)
  (declare (type (integer 0 23) number))
  "From a shift register of eight bits, a bit for each power of two."
  (let ((result 0))
    (dotimes (j 7 result)
      (let ((r 1))
        (loop repeat (mod (+ j (* 7 number)) 255)
              do (setf r (ash r 1))
                 (when (logbitp 8 r) (setf r (logxor r #x171))))
        (when (oddp r)
          (setf result (logior result (ash 1 (1- (ash 1 j))))))))))

(defparameter *round-constants*
  (coerce (loop for number below 24 collect (round-constant number)) '(simple-array (unsigned-byte 64) (*))))

;; For each lane but the first, in the order in which they are moved: where from, and by how much it is turned.
(defparameter *path*
  (coerce (loop with x = 1 and y = 0
                repeat 24
                collect (+ x (* 5 y))
                do (psetq x y y (mod (+ (* 2 x) (* 3 y)) 5)))
          '(simple-array (unsigned-byte 8) (*))))
(defparameter *turns*
  (coerce (loop for n from 0 below 24 collect (mod (/ (* (+ n 1) (+ n 2)) 2) 64))
          '(simple-array (unsigned-byte 8) (*))))

(declaim (inline rotate-left))

(defun rotate-left (x count)
  (declare (type u64 x) (type (integer 0 63) count))
  (ldb (byte 64 0) (logior (ash x count) (ash x (- count 64)))))

(defun keccak-f (a)
  "The permutation of 1600 bits, in place."
  (declare (type lanes a))
  (let ((c (make-array 5 :element-type '(unsigned-byte 64)))
        (path *path*)
        (turns *turns*)
        (constants *round-constants*))
    (declare (type (simple-array (unsigned-byte 8) (*)) path turns)
             (type (simple-array (unsigned-byte 64) (*)) constants))
    (dotimes (number 24 a)
      ;; theta
      (dotimes (x 5)
        (setf (aref c x)
              (logxor (aref a x) (aref a (+ x 5)) (aref a (+ x 10)) (aref a (+ x 15)) (aref a (+ x 20)))))
      (dotimes (x 5)
        (let ((d (logxor (aref c (mod (- x 1) 5)) (rotate-left (aref c (mod (+ x 1) 5)) 1))))
          (loop for y from 0 below 25 by 5
                do (setf (aref a (+ x y)) (logxor (aref a (+ x y)) d)))))
      ;; rho and pi
      (let ((moved (aref a 1)))
        (declare (type u64 moved))
        (dotimes (n 24)
          (let* ((to (aref path (mod (+ n 1) 24)))
                 (next (aref a to)))
            (setf (aref a to) (rotate-left moved (aref turns n))
                  moved next))))
      ;; chi
      (loop for y from 0 below 25 by 5
            do (dotimes (x 5)
                 (setf (aref c x) (aref a (+ y x))))
               (dotimes (x 5)
                 (setf (aref a (+ y x))
                       (logxor (aref c x) (logandc1 (aref c (mod (+ x 1) 5)) (aref c (mod (+ x 2) 5)))))))
      ;; iota
      (setf (aref a 0) (logxor (aref a 0) (aref constants number))))))

(defun sha3 (data size)
  "The digest of so many octets."
  (declare (type octets data) (type (integer 1 64) size))
  (let ((a (make-array 25 :element-type '(unsigned-byte 64) :initial-element 0))
        (digest (make-array size :element-type '(unsigned-byte 8)))
        (rate (- 200 (* 2 size)))
        (place 0))
    (flet ((add (octet place)
             (let ((lane (ash place -3)))
               (setf (aref a lane) (logxor (aref a lane) (ash octet (* 8 (mod place 8))))))))
      (loop for octet across data
            do (add octet place)
               (incf place)
               (when (= place rate)
                 (keccak-f a)
                 (setf place 0)))
      (add 6 place)
      (add #x80 (- rate 1)))
    (keccak-f a)
    (dotimes (k size digest)
      (setf (aref digest k) (ldb (byte 8 (* 8 (mod k 8))) (aref a (floor k 8)))))))

(defun sha3-256 (data)
  (declare (type octets data))
  (sha3 data 32))
(defun sha3-512 (data)
  (declare (type octets data))
  (sha3 data 64))

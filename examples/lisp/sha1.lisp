;;; SHA-1 (FIPS 180-4): (sha1 octets) and (sha1-hex octets).

(deftype octets () '(simple-array (unsigned-byte 8) (*)))
(deftype words () '(simple-array u32 (*)))
(deftype u32 () '(unsigned-byte 32))

(declaim (inline ch parity maj rotate-left word-at))

(defun ch (x y z)
  (logxor (logand x y) (logandc1 x z)))
(defun parity (x y z)
  (logxor x y z))
(defun maj (x y z)
  (logxor (logand x y) (logand x z) (logand y z)))

(defun rotate-left (x count)
  (declare (type u32 x) (type (integer 0 31) count))
  (logior (ldb (byte 32 0) (ash x count)) (ash x (- count 32))))

(defun word-at (data index)
  "Four octets, the highest first."
  (declare (type octets data) (type fixnum index))
  (logior (ash (aref data index) 24)
          (ash (aref data (+ index 1)) 16)
          (ash (aref data (+ index 2)) 8)
          (aref data (+ index 3))))

(defmacro twenty-steps (first function constant)
  `(loop for i from ,first below ,(+ first 20)
         do (psetq a (ldb (byte 32 0)
                          (+ (rotate-left a 5) (,function b c d) e (aref w i) ,constant))
                   b a
                   c (rotate-left b 30)
                   d c
                   e d)))

(defun sha1-blocks (data end state)
  "Takes the blocks of data up to end, which is a multiple of 64, into the state."
  (declare (type octets data) (type fixnum end) (type words state))
  (let ((w (make-array 80 :element-type '(unsigned-byte 32) :initial-element 0)))
    (loop for start of-type fixnum from 0 below end by 64
          do (dotimes (i 16)
               (setf (aref w i) (word-at data (+ start (* 4 i)))))
             (loop for i from 16 below 80
                   do (setf (aref w i)
                            (rotate-left (logxor (aref w (- i 3)) (aref w (- i 8))
                                                 (aref w (- i 14)) (aref w (- i 16)))
                                         1)))
             (let ((a (aref state 0)) (b (aref state 1)) (c (aref state 2))
                   (d (aref state 3)) (e (aref state 4)))
               (declare (type u32 a b c d e))
               (twenty-steps 0 ch #x5a827999)
               (twenty-steps 20 parity #x6ed9eba1)
               (twenty-steps 40 maj #x8f1bbcdc)
               (twenty-steps 60 parity #xca62c1d6)
               (macrolet ((add (k x)
                            `(setf (aref state ,k) (ldb (byte 32 0) (+ (aref state ,k) ,x)))))
                 (add 0 a)
                 (add 1 b)
                 (add 2 c)
                 (add 3 d)
                 (add 4 e))))))

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

(defun sha1 (data)
  "The twenty octets of the digest."
  (declare (type octets data))
  (let ((state (make-array 5 :element-type '(unsigned-byte 32)
                             :initial-contents
                             '(#x67452301 #xefcdab89 #x98badcfe #x10325476 #xc3d2e1f0)))
        (last (last-blocks data))
        (digest (make-array 20 :element-type '(unsigned-byte 8))))
    (sha1-blocks data (- (length data) (mod (length data) 64)) state)
    (sha1-blocks last (length last) state)
    (dotimes (k 20 digest)
      (setf (aref digest k) (ldb (byte 8 (* 8 (- 3 (mod k 4)))) (aref state (floor k 4)))))))

(defun sha1-hex (data)
  (declare (type octets data))
  (let ((digits "0123456789abcdef")
        (text (make-string 40)))
    (loop for octet across (sha1 data)
          for k from 0 by 2
          do (setf (char text k) (char digits (ash octet -4))
                   (char text (1+ k)) (char digits (ldb (byte 4 0) octet))))
    text))

;;; MD5 (RFC 1321): (md5 octets) and (md5-hex octets).

(deftype octets () '(simple-array (unsigned-byte 8) (*)))
(deftype u32 () '(unsigned-byte 32))

(declaim (inline f g h i rotate-left word-at))

(defun f (x y z)
  (logior (logand x y) (logandc1 x z)))
(defun g (x y z)
  (logior (logand x z) (logandc2 y z)))
(defun h (x y z)
  (logxor x y z))
(defun i (x y z)
  (ldb (byte 32 0) (logxor y (logorc2 x z))))

(defun rotate-left (x count)
  (declare (type u32 x) (type (integer 0 31) count))
  (logior (ldb (byte 32 0) (ash x count)) (ash x (- count 32))))

(defun word-at (data index)
  "Four octets, the lowest first."
  (declare (type octets data) (type fixnum index))
  (logior (aref data index)
          (ash (aref data (+ index 1)) 8)
          (ash (aref data (+ index 2)) 16)
          (ash (aref data (+ index 3)) 24)))

;; floor(2^32 |sin k|) for k = 1 to 64
(defparameter *sines*
  #(#xd76aa478 #xe8c7b756 #x242070db #xc1bdceee #xf57c0faf #x4787c62a #xa8304613 #xfd469501
    #x698098d8 #x8b44f7af #xffff5bb1 #x895cd7be #x6b901122 #xfd987193 #xa679438e #x49b40821
    #xf61e2562 #xc040b340 #x265e5a51 #xe9b6c7aa #xd62f105d #x02441453 #xd8a1e681 #xe7d3fbc8
    #x21e1cde6 #xc33707d6 #xf4d50d87 #x455a14ed #xa9e3e905 #xfcefa3f8 #x676f02d9 #x8d2a4c8a
    #xfffa3942 #x8771f681 #x6d9d6122 #xfde5380c #xa4beea44 #x4bdecfa9 #xf6bb4b60 #xbebfbc70
    #x289b7ec6 #xeaa127fa #xd4ef3085 #x04881d05 #xd9d4d039 #xe6db99e5 #x1fa27cf8 #xc4ac5665
    #xf4292244 #x432aff97 #xab9423a7 #xfc93a039 #x655b59c3 #x8f0ccc92 #xffeff47d #x85845dd1
    #x6fa87e4f #xfe2ce6e0 #xa3014314 #x4e0811a1 #xf7537e82 #xbd3af235 #x2ad7d2bb #xeb86d391))

(defmacro with-words ((data start) &body body)
  "Binds w0 to w15 to the words of the block that starts there."
  `(let ,(loop for k below 16
               collect `(,(intern (format nil "W~d" k)) (word-at ,data (+ ,start ,(* 4 k)))))
     ,@body))

(defmacro sixteen-steps (number function (first step) &rest shifts)
  "A round: step j takes word first + j step, and turns by the shifts one after the other."
  `(setf
    ,@(loop for j below 16
            for (a b c d) = (nth (mod j 4) '((a b c d) (d a b c) (c d a b) (b c d a)))
            for w = (intern (format nil "W~d" (mod (+ first (* step j)) 16)))
            append `(,a (ldb (byte 32 0)
                             (+ ,b (rotate-left
                                    (ldb (byte 32 0)
                                         (+ ,a (,function ,b ,c ,d) ,w
                                            ,(aref *sines* (+ (* 16 number) j))))
                                    ,(nth (mod j 4) shifts))))))))

(defun md5-blocks (data end a0 b0 c0 d0)
  "The state after the blocks of data up to end, which is a multiple of 64."
  (declare (type octets data) (type fixnum end) (type u32 a0 b0 c0 d0))
  (loop for start of-type fixnum from 0 below end by 64
        do (let ((a a0) (b b0) (c c0) (d d0))
             (declare (type u32 a b c d))
             (with-words (data start)
               (sixteen-steps 0 f (0 1) 7 12 17 22)
               (sixteen-steps 1 g (1 5) 5 9 14 20)
               (sixteen-steps 2 h (5 3) 4 11 16 23)
               (sixteen-steps 3 i (0 7) 6 10 15 21))
             (setf a0 (ldb (byte 32 0) (+ a0 a))
                   b0 (ldb (byte 32 0) (+ b0 b))
                   c0 (ldb (byte 32 0) (+ c0 c))
                   d0 (ldb (byte 32 0) (+ d0 d)))))
  (values a0 b0 c0 d0))

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
    (dotimes (k 8)
      (setf (aref last (+ padded -8 k)) (ldb (byte 8 (* 8 k)) (* 8 size))))
    last))

(defun md5 (data)
  "The sixteen octets of the digest."
  (declare (type octets data))
  (multiple-value-bind (a b c d)
      (md5-blocks data (- (length data) (mod (length data) 64))
                  #x67452301 #xefcdab89 #x98badcfe #x10325476)
    (let ((last (last-blocks data))
          (digest (make-array 16 :element-type '(unsigned-byte 8))))
      (multiple-value-setq (a b c d) (md5-blocks last (length last) a b c d))
      (dotimes (k 4 digest)
        (setf (aref digest k) (ldb (byte 8 (* 8 k)) a)
              (aref digest (+ 4 k)) (ldb (byte 8 (* 8 k)) b)
              (aref digest (+ 8 k)) (ldb (byte 8 (* 8 k)) c)
              (aref digest (+ 12 k)) (ldb (byte 8 (* 8 k)) d))))))

(defun hex (octets)
  "Two digits for each octet."
  (declare (type octets octets))
  (let ((text (make-string (* 2 (length octets)))))
    (loop for octet across octets
          for k from 0 by 2
          do (setf (char text k) (char "0123456789abcdef" (ash octet -4))
                   (char text (1+ k)) (char "0123456789abcdef" (ldb (byte 4 0) octet))))
    text))

(defun md5-hex (data)
  (declare (type octets data))
  (hex (md5 data)))

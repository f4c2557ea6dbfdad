;;; RC6-32/20 (Rivest, Robshaw, Sidney, Yin 1998): (rc6-encrypt key octets) and (rc6-decrypt key octets).

(deftype octets () '(simple-array (unsigned-byte 8) (*)))
(deftype u32 () '(unsigned-byte 32))
(deftype subkeys () '(simple-array (unsigned-byte 32) (44)))

(declaim (inline rotate-left word-at (setf word-at) mixed))

(defun rotate-left (x count)
  "By the five lowest bits of count."
  (declare (type u32 x) (type integer count))
  (let ((count (mod count 32)))
    (ldb (byte 32 0) (logior (ash x count) (ash x (- count 32))))))

(defun word-at (data index)
  (declare (type octets data) (type fixnum index))
  (logior (aref data index) (ash (aref data (+ index 1)) 8)
          (ash (aref data (+ index 2)) 16) (ash (aref data (+ index 3)) 24)))

(defun set-word-at (data index word)
  (declare (type octets data) (type fixnum index))
  (dotimes (k 4)
    (setf (aref data (+ index k)) (ldb (byte 8 (* 8 k)) word))))

(defun mixed (x)
  (declare (type u32 x))
  (rotate-left (ldb (byte 32 0) (* x (+ (* 2 x) 1))) 5))

(defun subkeys (key)
  (declare (type octets key))
  (let* ((count (max 1 (ceiling (length key) 4)))
         (l (make-array count :element-type '(unsigned-byte 32) :initial-element 0))
         (s (make-array 44 :element-type '(unsigned-byte 32)))
         (a 0) (b 0) (i 0) (j 0))
    (declare (type u32 a b))
    (dotimes (k (length key))
      (setf (aref l (floor k 4)) (logior (aref l (floor k 4)) (ash (aref key k) (* 8 (mod k 4))))))
    (setf (aref s 0) #xb7e15163)
    (loop for k from 1 below 44
          do (setf (aref s k) (ldb (byte 32 0) (+ (aref s (1- k)) #x9e3779b9))))
    (loop repeat (* 3 (max count 44))
          do (setf a (rotate-left (ldb (byte 32 0) (+ (aref s i) a b)) 3)
                   (aref s i) a
                   b (rotate-left (ldb (byte 32 0) (+ (aref l j) a b)) (+ a b))
                   (aref l j) b
                   i (mod (+ i 1) 44)
                   j (mod (+ j 1) count)))
    s))

(defmacro define-cipher (name &body body)
  "Four words a, b, c, d of each block go through the body."
  `(defun ,name (key data)
     (declare (type octets key data))
     (assert (zerop (mod (length data) 16)))
     (let ((s (subkeys key))
           (result (make-array (length data) :element-type '(unsigned-byte 8))))
       (declare (type subkeys s))
       (loop for start from 0 below (length data) by 16
             do (let ((a (word-at data start)) (b (word-at data (+ start 4)))
                      (c (word-at data (+ start 8))) (d (word-at data (+ start 12))))
                  ,@body
                  (set-word-at result start a)
                  (set-word-at result (+ start 4) b)
                  (set-word-at result (+ start 8) c)
                  (set-word-at result (+ start 12) d)))
       result)))

(define-cipher rc6-encrypt
  (setf b (ldb (byte 32 0) (+ b (aref s 0)))
        d (ldb (byte 32 0) (+ d (aref s 1))))
  (loop for i from 1 to 20
        do (let ((u (mixed d)) (v (mixed b)))
             (setf a (ldb (byte 32 0) (+ (rotate-left (logxor a v) u) (aref s (* 2 i))))
                   c (ldb (byte 32 0) (+ (rotate-left (logxor c u) v) (aref s (+ (* 2 i) 1)))))
             (psetf a b b c c d d a)))
  (setf a (ldb (byte 32 0) (+ a (aref s 42)))
        c (ldb (byte 32 0) (+ c (aref s 43)))))

(define-cipher rc6-decrypt
  (setf c (ldb (byte 32 0) (- c (aref s 43)))
        a (ldb (byte 32 0) (- a (aref s 42))))
  (loop for i from 20 downto 1
        do (psetf a d b a c b d c)
           (let ((u (mixed d)) (v (mixed b)))
             (setf c (logxor u (rotate-left (ldb (byte 32 0) (- c (aref s (+ (* 2 i) 1)))) (- v)))
                   a (logxor v (rotate-left (ldb (byte 32 0) (- a (aref s (* 2 i)))) (- u))))))
  (setf d (ldb (byte 32 0) (- d (aref s 1)))
        b (ldb (byte 32 0) (- b (aref s 0)))))

;;; Blowfish (Schneier 1993): (blowfish-encrypt key octets) and (blowfish-decrypt key octets), block
;;; by block, and (blowfish-encrypt-block schedule left right).

(deftype octets () '(simple-array (unsigned-byte 8) (*)))
(deftype u32 () '(unsigned-byte 32))
(deftype schedule () '(simple-array (unsigned-byte 32) (1042)))

(defun pi-bits (bits)
  "floor(2^bits pi), by the arithmetic-geometric mean."
  (let* ((guard 64)
         (one (ash 1 (+ bits guard)))
         (a one)
         (b (isqrt (ash one (1- (+ bits guard)))))
         (s (ash one -2))
         (power 1))
    (loop while (> (- a b) (ash 1 (ash guard -1)))
          do (let ((mean (ash (+ a b) -1)))
               (setf b (isqrt (* a b)))
               (decf s (floor (* power (expt (- a mean) 2)) one))
               (setf a mean
                     power (* 2 power))))
    (ash (floor (expt (+ a b) 2) (* 4 s)) (- guard))))

;; The first schedule is the fraction of pi: 18 subkeys, then four boxes of 256 words.
(defparameter *fraction*
  (coerce (let ((digits (ldb (byte (* 32 1042) 0) (pi-bits (* 32 1042)))))
            (loop for k from 1041 downto 0 collect (ldb (byte 32 (* 32 k)) digits)))
          '(simple-array (unsigned-byte 32) (*))))

(declaim (inline mix word-at set-word-at))

(defun mix (schedule x)
  (declare (type schedule schedule) (type u32 x))
  (flet ((box (number)
           (aref schedule (+ 18 (* 256 number) (ldb (byte 8 (- 24 (* 8 number))) x)))))
    (+ (logxor (+ (box 0) (box 1)) (box 2)) (box 3))))

(defun blowfish-encrypt-block (schedule left right)
  (declare (type schedule schedule) (type u32 left right))
  (loop for k from 0 below 16 by 2
        do (setf left (logxor left (aref schedule k))
                 right (logxor right (ldb (byte 32 0) (mix schedule left)))
                 right (logxor right (aref schedule (1+ k)))
                 left (logxor left (ldb (byte 32 0) (mix schedule right)))))
  (values (logxor right (aref schedule 17)) (logxor left (aref schedule 16))))

(defun blowfish-decrypt-block (schedule left right)
  (declare (type schedule schedule) (type u32 left right))
  (loop for k from 17 above 1 by 2
        do (setf left (logxor left (aref schedule k))
                 right (logxor right (ldb (byte 32 0) (mix schedule left)))
                 right (logxor right (aref schedule (1- k)))
                 left (logxor left (ldb (byte 32 0) (mix schedule right)))))
  (values (logxor right (aref schedule 0)) (logxor left (aref schedule 1))))

(defun blowfish-schedule (key)
  "The subkeys and boxes for a key of 4 to 56 octets."
  (declare (type octets key))
  (assert (<= 4 (length key) 56))
  (let ((schedule (copy-seq *fraction*))
        (left 0)
        (right 0))
    (declare (type schedule schedule) (type u32 left right))
    (dotimes (k 18)
      (let ((word 0))
        (dotimes (n 4)
          (setf word (+ (ash word 8) (aref key (mod (+ (* 4 k) n) (length key))))))
        (setf (aref schedule k) (logxor (aref schedule k) word))))
    (loop for k from 0 below 1042 by 2
          do (multiple-value-setq (left right) (blowfish-encrypt-block schedule left right))
             (setf (aref schedule k) left
                   (aref schedule (1+ k)) right))
    schedule))

(defun word-at (data index)
  "Four octets, the highest first."
  (declare (type octets data) (type fixnum index))
  (logior (ash (aref data index) 24)
          (ash (aref data (+ index 1)) 16)
          (ash (aref data (+ index 2)) 8)
          (aref data (+ index 3))))

(defun set-word-at (data index word)
  (declare (type octets data) (type fixnum index) (type u32 word))
  (setf (aref data index) (ldb (byte 8 24) word)
        (aref data (+ index 1)) (ldb (byte 8 16) word)
        (aref data (+ index 2)) (ldb (byte 8 8) word)
        (aref data (+ index 3)) (ldb (byte 8 0) word)))

(defmacro define-cipher (name block-function)
  `(defun ,name (key data)
     (declare (type octets key data))
     (assert (zerop (mod (length data) 8)))
     (let ((schedule (blowfish-schedule key))
           (result (make-array (length data) :element-type '(unsigned-byte 8))))
       (declare (type schedule schedule))
       (loop for start of-type fixnum from 0 below (length data) by 8
             do (multiple-value-bind (left right)
                    (,block-function schedule (word-at data start) (word-at data (+ start 4)))
                  (set-word-at result start left)
                  (set-word-at result (+ start 4) right)))
       result)))

(define-cipher blowfish-encrypt blowfish-encrypt-block)
(define-cipher blowfish-decrypt blowfish-decrypt-block)

;;; SipHash-2-4 (Aumasson, Bernstein 2012): (siphash key0 key1 octets).

(deftype octets () '(simple-array (unsigned-byte 8) (*)))
(deftype u64 () '(unsigned-byte 64))

(declaim (inline rotate-left word-at))

(defun rotate-left (x count)
  (declare (type u64 x) (type (integer 0 63) count))
  (ldb (byte 64 0) (logior (ash x count) (ash x (- count 64)))))

(defun word-at (data index)
  "Eight octets, the lowest first."
  (declare (type octets data) (type fixnum index))
  (macrolet ((octets ()
               `(logior ,@(loop for k below 8 collect `(ash (aref data (+ index ,k)) ,(* 8 k))))))
    (octets)))

(defun siphash (key0 key1 data)
  (declare (type u64 key0 key1) (type octets data))
  (let ((v0 (logxor key0 #x736f6d6570736575))
        (v1 (logxor key1 #x646f72616e646f6d))
        (v2 (logxor key0 #x6c7967656e657261))
        (v3 (logxor key1 #x7465646279746573))
        (whole (- (length data) (mod (length data) 8)))
        (last (ash (ldb (byte 8 0) (length data)) 56)))
    (declare (type u64 v0 v1 v2 v3 last))
    (macrolet ((add (a b) `(setf ,a (ldb (byte 64 0) (+ ,a ,b))))
               (turn (a count) `(setf ,a (rotate-left ,a ,count)))
               (mix (a b) `(setf ,a (logxor ,a ,b))))
      (flet ((rounds (count)
               (loop repeat count
                     do (add v0 v1) (turn v1 13) (mix v1 v0) (turn v0 32)
                        (add v2 v3) (turn v3 16) (mix v3 v2)
                        (add v0 v3) (turn v3 21) (mix v3 v0)
                        (add v2 v1) (turn v1 17) (mix v1 v2) (turn v2 32))))
        (flet ((take (word)
                 (mix v3 word)
                 (rounds 2)
                 (mix v0 word)))
          (loop for k from 0 below whole by 8
                do (take (word-at data k)))
          (loop for k from whole below (length data)
                do (setf last (logior last (ash (aref data k) (* 8 (- k whole))))))
          (take last))
        (mix v2 #xff)
        (rounds 4)))
    (logxor v0 v1 v2 v3)))

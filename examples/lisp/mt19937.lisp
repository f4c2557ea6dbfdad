;;; The Mersenne Twister MT19937 (Matsumoto, Nishimura 1998): (mt19937 seed count), the last of so many numbers.

(deftype u32 () '(unsigned-byte 32))
(deftype state () '(simple-array (unsigned-byte 32) (624)))

(defun seeded (seed)
  (declare (type u32 seed))
  (let ((mt (make-array 624 :element-type '(unsigned-byte 32))))
    (setf (aref mt 0) seed)
    (loop for i from 1 below 624
          for before = (aref mt (1- i))
          do (setf (aref mt i) (mod (+ (* 1812433253 (logxor before (ash before -30))) i) (expt 2 32))))
    mt))

(defun twist (mt)
  (declare (type state mt))
  (dotimes (i 624 mt)
    (let ((y (logior (logand (aref mt i) #x80000000)
                     (logand (aref mt (mod (1+ i) 624)) #x7fffffff))))
      (setf (aref mt i)
            (logxor (aref mt (mod (+ i 397) 624)) (ash y -1) (if (oddp y) #x9908b0df 0))))))

(defun tempered (y)
  (declare (type u32 y))
  (setf y (logxor y (ash y -11))
        y (logxor y (logand (ash y 7) #x9d2c5680))
        y (logxor y (logand (ash y 15) #xefc60000)))
  (logxor y (ash y -18)))

(defun mt19937 (seed count)
  (declare (type u32 seed count))
  (let ((mt (seeded seed))
        (at 624)
        (number 0))
    (loop repeat count
          do (when (= at 624)
               (twist mt)
               (setf at 0))
             (setf number (tempered (aref mt at)))
             (incf at))
    number))

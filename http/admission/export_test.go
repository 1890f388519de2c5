package admission

// Groups returns the number of groups in the queue.
func (q *Queue) Groups() int {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	return len(q.groups)
}

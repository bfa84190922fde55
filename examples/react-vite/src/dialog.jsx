import { useEffect, useId, useRef } from 'react'

/** The browser's own modal dialog: it keeps the focus, and Escape closes it. */
export function Dialog({ title, onClose, children }) {
  const dialog = useRef(null)
  const heading = useId()
  useEffect(() => {
    dialog.current.showModal()
  }, [])
  return (
    <dialog ref={dialog} aria-labelledby={heading} onClose={onClose}>
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  )
}

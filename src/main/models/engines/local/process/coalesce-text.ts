/** One screen frame, in ms. Faster updates cannot be seen individually. */
const frameMs = 16

/** Send text at most once per frame. The first piece after a pause is sent at once. */
export function coalesceText(send: (text: string) => void): {
  push: (text: string) => void
  flush: () => void
} {
  let held = ''
  let sentAt = -Infinity
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (held === '') return
    const text = held
    held = ''
    sentAt = performance.now()
    send(text)
  }
  return {
    push(text) {
      held += text
      const wait = sentAt + frameMs - performance.now()
      if (wait <= 0) flush()
      else timer ??= setTimeout(flush, wait)
    },
    flush,
  }
}

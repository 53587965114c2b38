/** A frame of a screen: text that comes faster than this cannot be seen one by one. */
const frameMs = 16

/** Send text on at most once a frame; the first piece after a pause goes at once. */
export function joinText(send: (text: string) => void): { push: (text: string) => void; flush: () => void } {
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

import { powerMonitor, powerSaveBlocker } from 'electron'

/** How often to check the power supply while kept awake, in ms. On Linux Electron does not report changes. */
const LOOK_MS = 30_000

/**
 * Create the function that keeps the computer awake until the returned function is called. On battery the
 * computer may sleep, even if it was unplugged in the meantime. Call this after `ready`.
 */
export function createKeepAwake(isOnMains: () => boolean | undefined): () => () => void {
  let held = 0
  let blocker: number | undefined
  let timer: NodeJS.Timeout | undefined

  function follow() {
    const isWanted = held > 0 && isOnMains() !== false
    if (isWanted && blocker === undefined) blocker = powerSaveBlocker.start('prevent-app-suspension')
    else if (!isWanted && blocker !== undefined) {
      powerSaveBlocker.stop(blocker)
      blocker = undefined
    }
  }
  powerMonitor.on('on-battery', follow)
  powerMonitor.on('on-ac', follow)

  return function keepAwake() {
    held++
    timer ??= setInterval(follow, LOOK_MS).unref()
    follow()
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      held--
      if (held === 0) {
        clearInterval(timer)
        timer = undefined
      }
      follow()
    }
  }
}

import type { AppEvent, Notice } from '../../../../shared/contract/app.ts'
import type { ConfigHandle } from '../../../config/load.ts'
import type { Broadcast } from '../../../lib/topic.ts'

type Parts = {
  config: Pick<ConfigHandle, 'notices' | 'onRead' | 'reload'>
  /** The notices that a window gets when it opens. */
  notices: Notice[]
  events: Pick<Broadcast<AppEvent>, 'publish'>
}

/**
 * Update the notices about config.yaml in every window each time the file is read again: end the fixed ones,
 * add the new ones. A notice that the user dismissed returns only with a different text.
 */
export function followConfig({ config, notices, events }: Parts): {
  /** Read the file again if any window would get a notice about a mistake in it. */
  readAgain(): void
} {
  let known = config.notices
  config.onRead(found => {
    const gone = known.filter(({ id }) => found.every(each => each.id !== id))
    const news = found.filter(each => !known.some(({ id, text }) => id === each.id && text === each.text))
    known = found
    for (const { id } of [...gone, ...news]) {
      const at = notices.findIndex(notice => notice.id === id)
      if (at >= 0) notices.splice(at, 1)
    }
    notices.push(...news)
    for (const { id } of gone) events.publish({ type: 'notice_ended', id })
    for (const notice of news) events.publish({ type: 'notice', notice })
  })
  return {
    readAgain() {
      if (notices.some(({ id }) => known.some(each => each.id === id))) config.reload()
    },
  }
}

import { app } from 'electron'
import type { WindowRequest } from '../../../shared/contract/desktop.ts'
import { readStartOptions } from '../../app/start-options.ts'
import { isLink, readLink } from './links.ts'

/** What a start of the app, a link or the dock asks for; undefined only asks for the window. */
type Asked = WindowRequest | undefined

/**
 * Take the requests of the system from now on, and keep them until `serve` says what to do with them. Call it before the first
 * await: the link that starts the app on macOS comes once, and others may come while the host is opening.
 */
export function takeRequests(): { serve(show: (asked: Asked) => void): void } {
  const early: Asked[] = []
  let take = (asked: Asked): void => {
    early.push(asked)
  }
  app.on('second-instance', (_event, args, folder) => take(readStart(args.slice(1), folder)))
  app.on('activate', () => take(undefined))
  app.on('open-url', (event, link) => {
    event.preventDefault()
    take(readLink(link))
  })
  return {
    serve(show) {
      take = show
      early.splice(0).forEach(show)
    },
  }
}

/**
 * What the arguments of a start ask of the window. A start by a link has no options: the author of the link may have put them
 * there. `folder` is the working folder of that start.
 */
export function readStart(args: readonly string[], folder: string): Asked {
  const link = args.find(isLink)
  if (link !== undefined) return readLink(link)
  const { workspace } = readStartOptions([...args], { INIT_CWD: folder }, 'lenient')
  return workspace === undefined ? undefined : { type: 'folder', folder: workspace }
}

import type { HostHandlers } from '../../shared/contract/index.ts'
import { Fault } from '../../shared/rpc.ts'
import { findPassages } from './find-passages.ts'
import { groupPages, openHelp, type Help } from './open-help.ts'

/** The Help that windows read. The disk is read only on request. */
export function helpHandlers(help: Help = openHelp()) {
  return {
    'help.list': async () => ({ groups: groupPages(await help.readPages()) }),
    async 'help.page'({ id }) {
      const page = (await help.readPages()).find(each => each.id === id)
      if (!page) throw new Fault('not_found', `Help has no page “${id}”.`)
      const { title, markdown } = page
      return { id, title, text: markdown, pictures: await help.readPictures(markdown) }
    },
    'help.find': async ({ query }) => ({ passages: findPassages(query, await help.readPages()) }),
  } satisfies Partial<HostHandlers>
}

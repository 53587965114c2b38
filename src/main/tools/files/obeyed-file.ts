import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ObeyedChange } from '../../../shared/contract/chats/messages.ts'
import { createFolderSearch } from '../../confinement/hidden-paths.ts'
import { sourcedByDirenv } from '../../confinement/obeyed/direnv-sources.ts'
import { followLinks, statOf } from '../../confinement/obeyed/follow-links.ts'
import { obeyedByName, type Obeyed } from '../../confinement/obeyed/obeyed-names.ts'
import { nameIn } from '../../confinement/obeyed/obeyed-state.ts'
import { whoRunsChanged } from '../../confinement/obeyed/deciding-parts.ts'
import { isWithin } from '../../confinement/profile.ts'
import { whoObeys } from '../../confinement/obeyed/who-obeys.ts'
import { plainPath } from '../../files/paths/plain-path.ts'
import { shownPath, type Target, type Where } from '../../files/paths/resolve-path.ts'

/** Larger files always count as changed. */
const MAX_COMPARED_BYTES = 1_000_000

/** Return which program obeys or runs the file of a call, by its given path and its real path. */
export function whoObeysTarget({ workspace }: Where, { path, given }: Target): Obeyed | undefined {
  const found = [path, resolve(workspace, plainPath(given).text)].map(each => whoObeys(workspace, each))
  return found.find(obeyed => obeyed?.tier === 1) ?? whoObeysByLink(workspace, path) ?? found[0] ?? found[1]
}

/** Remembers folders, so that unchanged ones are not searched again. */
const search = createFolderSearch()

/** Find which program obeys a file through a link, as with `packages/a/CLAUDE.md`, or through an `.envrc`. */
function whoObeysByLink(workspace: string, path: string): Obeyed | undefined {
  const root = followLinks(workspace).end
  const real = followLinks(path).end
  if (!isWithin(root, real)) return undefined
  const { obeyedFiles } = search(root)
  if (sourcedByDirenv(root, obeyedFiles).some(each => followLinks(each).end === real))
    return { tier: 1, by: 'direnv' }
  const link = obeyedFiles.find(
    each => statOf(each)?.isSymbolicLink() === true && isWithin(followLinks(each).end, real),
  )
  const name = link === undefined ? undefined : nameIn(root, link)
  return name === undefined ? undefined : (obeyedByName(name) ?? obeyedByName(`${name}/`))
}

/** The effect of a change on programs that obey or run the file. `text` is added to the end of the result. */
type Told = { text: string; obeyed?: readonly ObeyedChange[] }

/**
 * Look at a file before it is changed, and return a function that reports what the change means. For a file
 * that is run, only the parts that decide what runs count, such as the scripts of a package.json.
 */
export async function watchObeyed(
  where: Where,
  target: Target,
): Promise<(after: string | Uint8Array) => Told> {
  const obeyed = whoObeysTarget(where, target)
  if (!obeyed) return () => ({ text: '' })
  const name = shownPath(where, target.path)
  const before = obeyed.tier === 2 ? await readBefore(target) : undefined
  return after => {
    const by = obeyed.tier === 2 ? whoRunsChanged(name, [before, textOf(after)], obeyed.by) : obeyed.by
    if (by === undefined) return { text: '' }
    const how = target.kind === 'missing' ? 'new' : 'changed'
    const change = {
      path: name,
      how,
      by,
      tier: obeyed.tier,
      kept: 'stands',
    } as const
    return { text: obeyed.tier === 2 ? ` It changed what ${by} runs.` : '', obeyed: [change] }
  }
}

const textOf = (content: string | Uint8Array): string =>
  typeof content === 'string' ? content : Buffer.from(content).toString('utf8')

async function readBefore({ path, kind }: Target): Promise<string | undefined> {
  if (kind !== 'file') return undefined
  try {
    return (await stat(path)).size > MAX_COMPARED_BYTES ? undefined : await readFile(path, 'utf8')
  } catch {
    // The change itself will report what is wrong with the file.
    return undefined
  }
}

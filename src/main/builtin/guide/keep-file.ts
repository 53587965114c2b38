import { addToEnd } from './file-rules.ts'
import { GUIDE_SAYS } from './guide-sentences.ts'
import type { Meaning, Scene } from './guide-scene.ts'

/** Wording that shows the user knows the old content will be lost. */
const MEANS_ALL =
  /\b(?:overwrite|(?:replace|rewrite) (?:all|everything|the (?:whole|entire)|the contents?)|from scratch|start over)\b/i

/**
 * Ask before an existing file is overwritten as a whole, if only a part was to be changed, or if a new file
 * got its name. All other meanings are returned unchanged.
 */
export function keepFile(is: Meaning, request: string, { files }: Pick<Scene, 'files'>): Meaning {
  if (is.kind !== 'call' || is.call.name !== 'write_file') return is
  const { path, content } = is.call.arguments
  if (typeof path !== 'string' || typeof content !== 'string' || MEANS_ALL.test(request)) return is
  const written = path.replace(/^\.\//, '').toLowerCase()
  const there = files.find(each => each.toLowerCase() === written)
  if (there === undefined) return is
  if (content.trim() === '') return { kind: 'say', text: GUIDE_SAYS.isThere(there) }
  const { call, onResult } = addToEnd(there, content)
  return {
    kind: 'ask',
    question: GUIDE_SAYS.replaceAll(there),
    choices: [
      { label: `Replace all of ${there}`, call: is.call },
      { label: `Add it at the end of ${there}`, call, ...(onResult && { onResult }) },
    ],
  }
}

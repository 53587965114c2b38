import type { SharedSkillFolder } from '../../../other-agents/connect/connector.ts'
import { isRefusal } from '../../../lib/expected-errors.ts'
import { redactText } from '../../../untrusted/redact.ts'
import { freeName, suggestName } from '../../../skills/files/skill-name.ts'
import type { Library } from '../../../skills/skill-types.ts'

/** Maximum number of shared skills, and of bytes per file and in total. */
const MOST_SKILLS = 100
const MOST_FILE = 200_000
const MOST_BYTES = 2_000_000

/**
 * Return the skills that a chat in a folder can load, as folders of text files for other programs. Keys and
 * passwords are redacted. Binary files and skills that are too long are left out.
 */
export async function sharedSkills(library: Library, workspace: string): Promise<SharedSkillFolder[]> {
  await library.caughtUp()
  const folders: SharedSkillFolder[] = []
  const names = new Set<string>()
  let bytes = 0
  for (const { found } of library.forChat(workspace).slice(0, MOST_SKILLS)) {
    const main = found.main?.file ?? 'SKILL.md'
    const files = [main, ...found.parts.map(({ path }) => path).filter(path => path !== main)].flatMap(
      path => {
        const read = library.file(found.id, path)
        const text = isRefusal(read) || read.bytes.length > MOST_FILE ? undefined : textOf(read.bytes)
        if (text === undefined) return []
        return [{ name: path === main ? 'SKILL.md' : path, text: redactText(text) }]
      },
    )
    const size = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
    if (files[0]?.name !== 'SKILL.md' || bytes + size > MOST_BYTES) continue
    bytes += size
    const name = freeName(suggestName(found.name), taken => names.has(taken))
    names.add(name)
    folders.push({ name, files })
  }
  return folders
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

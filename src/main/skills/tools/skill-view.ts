import { z } from 'zod'
import { byCount } from '../../../shared/text/amounts.ts'
import { oneLine } from '../prompt-index.ts'
import type { Skill } from '../../../shared/contract/learned/skills.ts'
import { relatedOf } from '../files/prerequisites.ts'
import { readSkillText } from '../files/read-skill.ts'
import type { FoundSkill, Library, LibrarySkill } from '../skill-types.ts'
import { isRefusal, type Refusal } from '../../lib/expected-errors.ts'
import type { SkillToolParts, Seen } from './skill-tool-parts.ts'
import { SWITCHED_OFF } from './skills-list.ts'
import { decodeText } from '../../lib/encodings/decode-text.ts'
import { encodingNote, sizeInWords } from '../../files/read-text-file.ts'
import {
  defineTool,
  type Intent,
  type IntentContext,
  type ToolContext,
  type ToolResult,
} from '../../tools/registry/tool.ts'
import { tellSkill } from './tell-skills.ts'

const MOST_CHARACTERS = 100_000
const MOST_FILES = 40

const SAYS = 'Load the steps of a skill, or with file_path one of its files.'
const Input = z.object({ name: z.string(), file_path: z.string().optional() })

async function intent(input: Record<string, unknown>, { workspace: folder }: IntentContext): Promise<Intent> {
  const { name, file_path: path } = input as z.output<typeof Input>
  const file = path?.trim() ? `${oneLine(path, 80)} of ` : ''
  const title = `Read ${file}the skill “${oneLine(name, 80)}”`
  return { title, detail: '', risk: 'read', inWorkspace: true, folder }
}

/** The tool that lets a model load a skill, or one of its files. */
export function skillViewTool(
  { library, store, uses, now, onlyIn = () => null }: SkillToolParts,
  seen: Seen,
) {
  return defineTool({
    name: 'skill_view',
    tell: tellSkill,
    says: SAYS,
    input: Input,
    toolset: 'skills',
    risk: 'read',
    unavailable: () => (uses() ? undefined : SWITCHED_OFF),
    intent,
    run: view,
  })

  async function view(
    { name, file_path: given }: z.output<typeof Input>,
    context: ToolContext,
  ): Promise<ToolResult> {
    if (!uses()) return { ok: false, reason: SWITCHED_OFF }
    // Whether the skill may be read depends on its scan.
    await library.scanFirst(plainName(name), context.signal, context.workspace)
    const known = findSkill(library, name, context)
    if (isRefusal(known)) return { ok: false, reason: known.refused }
    const { skill, found } = known
    const only = onlyIn(context.sessionId)
    if (only && !only.includes(skill.name))
      return { ok: false, reason: `The skill “${skill.name}” is not one of the skills of this project.` }
    const path = pathIn(found, given ?? '')
    const view = isMain(path) ? viewMain(known, context) : viewFile(found, path, context)
    if (isRefusal(view)) return { ok: false, reason: view.refused }
    const { sessionId, askedId: messageId } = context
    const result: ToolResult = { ok: true, text: view.text }
    // Each skill is counted and reported to the user once per turn.
    if (!seen.isNewInTurn(context, skill.id)) return result
    store.use({ key: skill.key, sessionId, messageId, by: 'agent', at: now() })
    return { ...result, skill: { id: skill.id, name: skill.name } }
  }

  function viewMain(
    { skill, found }: LibrarySkill,
    { sessionId, workspace, offered }: ToolContext,
  ): { text: string } | Refusal {
    const text = library.read(skill.id)
    if (text === undefined) return { refused: `The skill “${skill.name}” cannot be read any more.` }
    seen.look(sessionId, found, text)
    const body = readSkillText(text, skill.name).body.trim()
    const steps =
      body === '' ? 'This skill has no steps, only its description.' : cut(body, found, 'SKILL.md')
    const about = aboutOf(skill, found, {
      offered: library.forChat(workspace, offered),
      namesakes: library.namesakes(skill.id, workspace),
    })
    return { text: [steps, ...filesOf(found), ...about].join('\n\n') }
  }

  function viewFile(found: FoundSkill, path: string, { sessionId }: ToolContext): { text: string } | Refusal {
    const read = library.file(found.id, path)
    if (isRefusal(read)) {
      const others = pathsOf(found)
      const hint = others.length === 0 ? 'It has no other files.' : `Its files are ${listed(others)}.`
      return { refused: `${oneLine(path, 120)}: ${read.refused} ${hint}` }
    }
    const file = decodeText(Buffer.from(read.bytes))
    const where = `${found.folder}/${path}`
    if (!file) return { refused: `${path} is not text (${sizeInWords(read.bytes.length)}). It is ${where}.` }
    seen.lookAt(sessionId, found, path, file.mark ? `\uFEFF${file.text}` : file.text)
    if (file.text.trim() === '') return { text: `${path} is empty.` }
    const note = encodingNote({ ...file, exact: file.encoding !== 'utf8' ? false : file.exact })
    return { text: [cut(file.text, found, path), ...(note === '' ? [] : [note])].join('\n') }
  }
}

/** The skill that a model means, or why it is unavailable, with similar names. */
export function findSkill(
  library: Library,
  name: string,
  { workspace, offered }: Pick<ToolContext, 'workspace' | 'offered'>,
): LibrarySkill | Refusal {
  const wanted = plainName(name)
  if (wanted === '') return { refused: 'name is missing: say which skill. skills_list shows them.' }
  const known = library.named(wanted, workspace, offered)
  if ('found' in known) return known.found
  const near = known.near.slice(0, 5).map(each => oneLine(each, 80))
  return { refused: near.length === 0 ? known.refused : `${known.refused} Did you mean ${near.join(', ')}?` }
}

/** A name without the quotes and slashes that models put around it. */
const plainName = (name: string) => oneLine(name.slice(0, 400).replace(/^[\s/"'`“]+|["'`”\s]+$/g, ''), 200)

/** The intended path: models write `./x`, or put the skill's name before it. */
export function pathIn(found: FoundSkill, given: string): string {
  const path = given.trim().replace(/^(?:\.\/)+/, '')
  const own = `${found.name}/`
  const isKnown = found.parts.some(part => part.path === path)
  return !isKnown && path.startsWith(own) ? path.slice(own.length) : path
}

/** Whether a path refers to SKILL.md. */
export const isMain = (path: string): boolean => path === '' || path.toLowerCase() === 'skill.md'

/** The files of a skill besides SKILL.md. */
const pathsOf = ({ parts }: FoundSkill): string[] =>
  parts.filter(part => part.kind !== 'skill').map(part => part.path)

/** Remarks on a skill: tags, related skills that can be loaded, its keys, and other skills with its name. */
function aboutOf(
  { name, tags, prerequisites }: Skill,
  found: FoundSkill,
  { offered, namesakes }: { offered: readonly LibrarySkill[]; namesakes: readonly string[] },
): string[] {
  const keys = prerequisites.filter(({ kind }) => kind === 'key').map(({ name }) => name)
  const names = new Set(offered.map(({ skill }) => skill.name))
  const related = relatedOf(found.text.more).filter(name => names.has(name))
  const parts = [
    ...(tags.length > 0 ? [`Tags: ${tags.map(tag => oneLine(tag, 60)).join(', ')}.`] : []),
    ...(related.length > 0 ? [`Related skills: ${related.join(', ')}.`] : []),
    ...(keys.length > 0
      ? [
          `Commands have ${keys.join(', ')} in their environment until this answer is complete; load the skill again for later ones.`,
        ]
      : []),
    ...(namesakes.length > 0
      ? [
          `${namesakes.map(folder => oneLine(folder, 400)).join(' and ')} ${byCount(namesakes.length, 'has', 'have')} a skill ${oneLine(name, 80)} too, which is not used: this one, of ${found.folder}, goes first. If the user means the other one, read its SKILL.md with read_file.`,
        ]
      : []),
  ]
  return parts.length === 0 ? [] : [`[${parts.join(' ')}]`]
}

function filesOf(found: FoundSkill): string[] {
  const paths = pathsOf(found)
  if (paths.length === 0) return []
  const run = found.hasScripts ? '; run scripts with terminal' : ''
  return [`[Files of this skill, in ${found.folder}: ${listed(paths)}. Read one with file_path${run}.]`]
}

function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, MOST_FILES).join(', ')
  return paths.length > MOST_FILES ? `${shown} and ${paths.length - MOST_FILES} more` : shown
}

function cut(text: string, { folder }: FoundSkill, path: string): string {
  if (text.length <= MOST_CHARACTERS) return text
  const left = text.length - MOST_CHARACTERS
  return `${text.slice(0, MOST_CHARACTERS).toWellFormed()}\n[… ${left.toLocaleString('en')} more characters; read on in ${folder}/${path} with read_file and offset …]`
}

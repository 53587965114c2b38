import { byCount, many } from '../../../shared/text/amounts.ts'
import { readCut } from '../../tools/tell/cut-texts.ts'
import { languageOf } from '../../tools/tell/language-of.ts'
import {
  listNames,
  listPoints,
  quoteWords,
  textIn,
  writeBlock,
  writeCode,
  writeWords,
} from '../../tools/tell/plain-markdown.ts'
import { tellUnchanged } from '../../tools/tell/tell-changes.ts'
import { forPerson, tellFailed } from '../../tools/tell/tell-failure.ts'

type Input = Record<string, unknown>
type Result = { ok: boolean; text: string }

/** Maximum number of skills to list. */
const MOST_LISTED = 40

/** Say which skills exist. */
export function tellSkills(input: Input, { ok, text: given }: Result): string {
  const query = textIn(input, 'query').trim()
  const { text } = readCut(given)
  if (!ok) {
    if (text.startsWith('No skill is about')) return `There is no skill about ${quoteWords(query, 120)}.`
    const category = /^There is no category “([^”]*)”/.exec(text)?.[1]
    if (category === undefined) return tellSkillFailure('list the skills', text)
    return `There is no category ${quoteWords(category)} of skills. There are:\n\n${listPoints(pointsIn(text), MOST_LISTED)}`
  }
  if (text === 'There are no skills.') return text
  const points = pointsIn(text)
  if (points.length === 0) return writeBlock(text).block
  const also = /^Also: ([^\n]*)\.$/m.exec(text)?.[1]
  const more = also === undefined ? '' : `\n\nThere are more: ${writeWords(also, 1_000)}.`
  if (text.startsWith('Categories'))
    return `There are many skills, in these categories:\n\n${listPoints(points, MOST_LISTED)}`
  const about = query === '' ? '' : ` about ${quoteWords(query, 120)}`
  const heading = `There ${byCount(points.length, 'is', 'are')} ${many(points.length, 'skill')}${about}`
  return `${also === undefined ? heading : 'These are some of the skills'}:\n\n${listPoints(points, MOST_LISTED)}${more}`
}

/** The points of a list, without details that only calls need. */
function pointsIn(text: string): string[] {
  return text.split('\n').flatMap(line => {
    const [, name = '', says = ''] = /^- ([^\n]*?)(?:: ([^\n]*))?$/.exec(line) ?? []
    if (name === '') return []
    const plain = says.replace(/ \[(?:tags|related|files): [^\]]*\]$/, '')
    const bare = name.replace(/ \[(?:tags|related|files): [^\]]*\]$/, '')
    return [plain === '' ? writeWords(bare) : `${writeCode(bare)}: ${writeWords(plain)}`]
  })
}

/** Show the steps of a skill, or one of its files. */
export function tellSkill(input: Input, { ok, text: given }: Result): string {
  const name = quoteWords(textIn(input, 'name'), 80)
  const path = textIn(input, 'file_path').trim()
  if (!ok) return tellSkillFailure(`open the skill ${name}`, given)
  const { text } = readCut(given)
  if (path !== '' && path.toLowerCase() !== 'skill.md') {
    if (text === `${path} is empty.`) return `${writeCode(path)} of the skill ${name} is empty.`
    const { block } = writeBlock(withoutRest(text), { language: languageOf(path) })
    return `This is ${writeCode(path)} of the skill ${name}:\n\n${block}`
  }
  const files = /^\[Files of this skill, in [^\n]*?: ([^\n]*)\. Read one with file_path[^\n]*\]$/m.exec(
    text,
  )?.[1]
  const steps = withoutRest(text)
    .replaceAll(
      /(?<!\n)\n*^\[(?:Files of this skill, in |Tags: |Related skills: |Commands have |\/)[^\n]*\]$/gm,
      '',
    )
    .trim()
  const more = files === undefined ? '' : `\n\nIts files: ${listNames(files.split(', '))}.`
  if (steps === 'This skill has no steps, only its description.')
    return `The skill ${name} has no steps, only its description.${more}`
  const { block, isCut } = writeBlock(steps, { language: 'markdown' })
  return `The skill ${name} says:\n\n${block}${isCut ? '\n\nOnly its beginning is shown.' : ''}${more}`
}

const withoutRest = (text: string): string =>
  text.replace(/\n\[… [\d,]+ more characters; read on in [^\n]* …\]/, '')

const CHANGED: readonly [string, (name: string, path: string) => string][] = [
  ['Skill created.', name => `I created the skill ${name}.`],
  ['Skill deleted.', name => `I deleted the skill ${name}. You can restore it on the Skills page.`],
  ['File removed.', (name, path) => `I removed ${path} from the skill ${name}.`],
  ['File written.', (name, path) => `I wrote ${path} of the skill ${name}.`],
  ['Skill rewritten.', name => `I rewrote the skill ${name}.`],
  ['Skill patched.', name => `I changed the skill ${name}.`],
]

/** Say which skill was written, changed or deleted. */
export function tellSkillChange(input: Input, { ok, text }: Result): string {
  const name = quoteWords(textIn(input, 'name'), 80)
  if (!ok) {
    if (text.startsWith('Not written: the security scan'))
      return `The security check calls that dangerous, so the skill ${name} was not changed. It waits for you as a proposal on the Activity page.`
    return tellUnchanged(`the skill ${name}`, text) ?? tellSkillFailure(`change the skill ${name}`, text)
  }
  const message = /"message": ("(?:[^"\\]|\\.)*")/.exec(text)?.[1] ?? ''
  const said = CHANGED.find(([start]) => message.startsWith(`"${start}`))
  if (!said) return writeBlock(text).block
  const [start, say] = said
  const notes = message
    .slice(1 + start.length, -1)
    .replaceAll('\\"', '"')
    .trim()
  const path = writeCode(textIn(input, 'file_path') || 'SKILL.md')
  return `${say(name, path)}${notes === '' ? '' : ` ${writeWords(forPerson(notes))}`}`
}

function tellSkillFailure(doing: string, reason: string): string {
  if (reason.startsWith('The user has switched off'))
    return `I could not ${doing}, because you have switched that off in the settings.`
  const [, name = '', near = ''] =
    /^There is no skill “([^]*?)”\.(?: Did you mean ([^]*)\?)?/.exec(reason) ?? []
  if (name !== '')
    return `There is no skill ${quoteWords(name)}.${near === '' ? '' : ` Similar: ${listNames(near.split(', '))}.`}`
  const lines = reason.split('\n').filter(line => !line.startsWith('This has failed three times'))
  const [first = '', ...rest] = lines
  const list =
    rest.length === 0
      ? ''
      : `\n\n${listPoints(
          rest.map(line => writeWords(line.replace(/^- /, ''))),
          10,
        )}`
  return `${tellFailed(doing, first)}${list}`
}

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { readSkillText } from '../src/main/skills/files/read-skill.ts'
import { scanSkill } from '../src/main/skills/check/scan-skill.ts'
import { fail } from './command-line.ts'

const USAGE = 'Usage: node evals/skillscan.ts <folder, SKILL.md or .jsonl of lines>...'

type Sample = { file: string; name: string; files: { path: string; text: string }[] }

/** Scans each skill that is given and prints one JSON line for it. */
function main(given: readonly string[]): void {
  if (given.length === 0) fail(USAGE)
  for (const sample of given.flatMap(samplesOf)) console.log(JSON.stringify(resultOf(sample)))
}

function resultOf({ file, name, files }: Sample) {
  const { verdict, findings } = scanSkill(files)
  const text = files[0]!.text
  const read = readSkillText(text, name)
  const loaded = read.body.trim() !== '' || read.fields.description !== ''
  const shown = findings.map(({ path, line, rule, category, severity, block }) => ({
    ...(path === files[0]!.path ? {} : { path }),
    line,
    rule,
    category,
    severity,
    block,
  }))
  // What asks or blocks; the rest leaves a skill safe, and nobody is asked about it.
  const isAsked = ({ severity }: (typeof shown)[number]) => severity === 'high' || severity === 'critical'
  const [asked, notes] = [shown.filter(isAsked), shown.filter(each => !isAsked(each))]
  return { file, name: read.fields.name, loaded, verdict, findings: asked, notes }
}

/** The skills below a path: skill folders with all their files, single Markdown files, or lines of a .jsonl. */
function samplesOf(given: string): Sample[] {
  const path = resolve(given)
  try {
    if (statSync(path).isDirectory()) return inFolder(path, path)
    return path.endsWith('.jsonl') ? linesOf(path) : [single(path, dirname(path))]
  } catch (error) {
    return fail(`${given} cannot be read: ${(error as Error).message}`)
  }
}

function inFolder(folder: string, root: string): Sample[] {
  const names = readdirSync(folder).toSorted()
  const skill = names.find(name => /^skill\.md$/i.test(name))
  if (skill !== undefined) return [skillFolder(folder, skill, root)]
  return names.flatMap(name => {
    const path = join(folder, name)
    if (name.startsWith('.') && name !== '.agents' && name !== '.claude') return []
    if (statSync(path).isDirectory()) return inFolder(path, root)
    return name.endsWith('.md') && name !== 'README.md' ? [single(path, root)] : []
  })
}

function skillFolder(folder: string, skill: string, root: string): Sample {
  const others = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name !== skill && statSync(join(folder, name)).isFile())
    .toSorted()
    .map(name => ({ path: name.split(sep).join('/'), bytes: readFileSync(join(folder, name)) }))
    .filter(({ bytes }) => !bytes.subarray(0, 8_000).includes(0))
    .map(({ path, bytes }) => ({ path, text: bytes.toString('utf8') }))
  const files = [{ path: 'SKILL.md', text: readFileSync(join(folder, skill), 'utf8') }, ...others]
  return { file: labelOf(join(folder, skill), root), name: basename(folder), files }
}

const single = (path: string, root: string): Sample => ({
  file: labelOf(path, root),
  name: basename(path, '.md'),
  files: [{ path: 'SKILL.md', text: readFileSync(path, 'utf8') }],
})

/** Each line's `text` as a file of its own. */
const linesOf = (path: string): Sample[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(line => line.trim() !== '')
    .map((line, n) => {
      const { text, file } = JSON.parse(line) as { text?: unknown; file?: unknown }
      if (typeof text !== 'string') throw new Error(`line ${n + 1} has no text`)
      const name = `${basename(path)}:${n + 1}`
      return { file: typeof file === 'string' ? file : name, name, files: [{ path: 'SKILL.md', text }] }
    })

/** As the labels name it: from the last folder called malicious or benign on, else relative to the given folder's parent. */
function labelOf(path: string, root: string): string {
  const parts = path.split(sep)
  const at = parts.findLastIndex(part => part === 'malicious' || part === 'benign')
  return at > 0 ? parts.slice(at).join('/') : relative(dirname(root), path).split(sep).join('/')
}

main(process.argv.slice(2))

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'
import { proseOf, type Prose } from './prose.ts'

// Draws comments and texts of the window from two commits, mixed and without their origin, so that a reader judges them blind: 1 read once,
// 2 read twice, 3 unclear. The same seed and commits give the same draw.

const USAGE = `node scripts/draw-words.ts --before COMMIT [--now COMMIT] [--seed N] [--count N] --to FOLDER
  writes FOLDER/items.md for the judge, and FOLDER/key.json, which the judge must not see
node scripts/draw-words.ts --tally FOLDER
  reads FOLDER/verdicts.txt, lines such as “12 1”, and prints the share that was read once`

const KINDS = ['comment', 'text'] as const
type Drawn = Prose & { id: number; from: 'before' | 'now' }

/** Random numbers from 0 to 1, the same for the same seed: “mulberry32” by Tommy Ettinger. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Shuffle a list in place (Fisher and Yates) and return it. */
function shuffle<T>(list: T[], random: () => number): T[] {
  for (let at = list.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1))
    ;[list[at], list[other]] = [list[other]!, list[at]!]
  }
  return list
}

const root = rootFolder()
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1_000_000_000 })

/** All prose of a commit, in the order of its files. Tests are left out. */
function proseAt(commit: string): Prose[] {
  const files = git('ls-tree', '-r', '--name-only', commit, 'src')
    .split('\n')
    .filter(path => /\.tsx?$/.test(path) && !/\.(?:test|d)\.tsx?$|\/test\//.test(path))
  return files.flatMap(path => proseOf(path, git('show', `${commit}:${path}`)))
}

function draw(before: string, now: string, seed: number, count: number, folder: string): void {
  const random = randomFrom(seed)
  const drawn = [before, now].flatMap((commit, at) => {
    const all = proseAt(commit)
    return KINDS.flatMap(kind =>
      shuffle(
        all.filter(each => each.kind === kind),
        random,
      )
        .slice(0, count)
        .map(each => ({ ...each, from: at === 0 ? ('before' as const) : ('now' as const) })),
    )
  })
  const items: Drawn[] = shuffle(drawn, random).map((each, at) => ({ ...each, id: at + 1 }))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'key.json'), `${JSON.stringify({ before, now, seed, items }, null, 2)}\n`)
  writeFileSync(join(folder, 'items.md'), items.map(show).join('\n'))
}

const show = ({ id, kind, text, code }: Drawn): string =>
  kind === 'comment'
    ? `## ${id} comment\n${text}\n    ${code.replaceAll('\n', '\n    ')}\n`
    : `## ${id} text of the window\n${text}\n`

function tally(folder: string): void {
  const { items } = JSON.parse(readFileSync(join(folder, 'key.json'), 'utf8')) as { items: Drawn[] }
  const verdicts = new Map(
    [...readFileSync(join(folder, 'verdicts.txt'), 'utf8').matchAll(/^(\d+)\s+([123])\b/gm)].map(match => [
      Number(match[1]),
      Number(match[2]),
    ]),
  )
  for (const kind of KINDS)
    for (const from of ['before', 'now'] as const) {
      const of = items.filter(each => each.kind === kind && each.from === from && verdicts.has(each.id))
      const count = (verdict: number) => of.filter(each => verdicts.get(each.id) === verdict).length
      const share = ((100 * count(1)) / of.length).toFixed(0)
      console.log(
        `${kind} ${from}: ${count(1)} of ${of.length} read once (${share} %), ${count(2)} twice, ${count(3)} unclear`,
      )
    }
}

const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    now: { type: 'string', default: 'HEAD' },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '60' },
    to: { type: 'string' },
    tally: { type: 'string' },
  },
})
const { before, now, seed, count, to } = values
if (values.tally !== undefined) tally(values.tally)
else if (before !== undefined && to !== undefined) draw(before, now, Number(seed), Number(count), to)
else {
  process.stderr.write(`${USAGE}\n`)
  process.exitCode = 2
}

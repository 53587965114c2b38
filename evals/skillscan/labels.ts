import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { fail, readRows } from '../command-line.ts'
import { lineSamples } from './given-samples.ts'
import type { Labelled } from './measure.ts'
import type { Sample } from './scan-samples.ts'

const Lines = z.tuple([z.int().min(1), z.int().min(1)])
const Difficulty = z.enum(['plain', 'evasive', 'semantic'])
const Category = z.enum([
  'exfiltration',
  'prompt-injection',
  'persistence',
  'obfuscation',
  'supply-chain',
  'destructive',
  'privilege-escalation',
  'path-traversal',
])

/** The content of a skill's file: a text, or bytes if it is no text. */
const Content = z.union([z.string(), z.strictObject({ base64: z.base64() })])
const Files = z
  .record(z.string(), Content)
  .refine(files => typeof files['SKILL.md'] === 'string', 'there is no SKILL.md')

const OwnHarmful = z.strictObject({
  id: z.string(),
  category: Category,
  difficulty: Difficulty,
  /** The file with the harm, and the lines of the harm. */
  path: z.string(),
  lines: z.array(Lines).min(1),
  files: Files,
})
const OwnHarmless = z.strictObject({ id: z.string(), files: Files })

const beside = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/**
 * The skills of the repository. All are inert: nothing ever runs them, and their hosts are reserved names.
 */
export function ownSkills(): Labelled[] {
  const harmful = readRows(beside('harmful.jsonl'), OwnHarmful).map(
    ({ id, difficulty, path, lines, files }): Labelled => ({
      ...sampleOf(id, files),
      kind: 'harmful',
      isDoubtful: false,
      difficulty,
      spans: lines.map(([from, to]) => ({ path, from, to })),
    }),
  )
  const harmless = readRows(beside('harmless.jsonl'), OwnHarmless).map(({ id, files }): Labelled => ({
    ...sampleOf(id, files),
    kind: 'harmless',
    isDoubtful: false,
  }))
  return [...harmful, ...harmless]
}

const sampleOf = (id: string, files: z.infer<typeof Files>): Sample => ({
  file: id,
  name: id,
  content: Object.entries(files).map(([path, content]) => ({
    path,
    bytes: typeof content === 'string' ? Buffer.from(content) : Buffer.from(content.base64, 'base64'),
  })),
})

const GivenHarmful = z.looseObject({
  file: z.string(),
  difficulty: Difficulty,
  lines: Lines,
  also_lines: z.array(Lines).optional(),
  dual_use: z.boolean().optional(),
})
const GivenHarmless = z.looseObject({ file: z.string(), contested: z.unknown().optional() })

/**
 * The labelled skills of a folder with `labels.<split>.jsonl`, `benign.<split>.jsonl` and
 * `benign-lines.<split>.jsonl`.
 */
export function givenLabels(folder: string, split: string): { skills: Labelled[]; lines: Sample[] } {
  if (!existsSync(folder)) fail(`${folder} cannot be read: there is no such folder.`)
  const fileOf = (file: string): Sample => {
    const path = join(folder, file)
    if (!existsSync(path)) fail(`${path} is labelled, but not there.`)
    return {
      file,
      name: basename(file, '.md'),
      content: [{ path: 'SKILL.md', bytes: readFileSync(path) }],
    }
  }
  const harmful = readRows(join(folder, `labels.${split}.jsonl`), GivenHarmful).map(
    ({ file, difficulty, lines, also_lines = [], dual_use = false }): Labelled => ({
      ...fileOf(file),
      kind: 'harmful',
      isDoubtful: dual_use,
      difficulty,
      spans: [lines, ...also_lines].map(([from, to]) => ({ path: 'SKILL.md', from, to })),
    }),
  )
  const harmless = readRows(join(folder, `benign.${split}.jsonl`), GivenHarmless).map(
    ({ file, contested }): Labelled => ({
      ...fileOf(file),
      kind: 'harmless',
      isDoubtful: contested !== undefined && contested !== false,
    }),
  )
  return {
    skills: [...harmful, ...harmless],
    lines: lineSamples(join(folder, `benign-lines.${split}.jsonl`)),
  }
}

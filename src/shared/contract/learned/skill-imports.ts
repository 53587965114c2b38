import { z } from 'zod'
import { call, stream } from '../../rpc.ts'
import { Seen } from '../seen.ts'
import {
  ScanReport,
  SkillFileChange,
  SkillIssue,
  SkillOrigin,
  SkillPart,
  SkillPolicy,
  SkillRevision,
  SkillSource,
} from './skills.ts'

/** A skill found by an import, not installed yet. */
export const SkillCandidate = z.object({
  /** The folder inside the fetched source; empty for its root. */
  path: z.string(),
  name: z.string(),
  description: z.string(),
  text: z.string(),
  files: z.array(SkillPart),
  issues: z.array(SkillIssue),
  scan: ScanReport,
  policy: SkillPolicy,
  /** The trusted publisher of the skill, as named in the settings; null for any other source. */
  publisher: z.string().nullable(),
  licence: z.string().nullable(),
  /** The existing skill of that name, and the changes to its text files. */
  replaces: z
    .object({ id: z.string(), origin: SkillOrigin, isEdited: z.boolean(), changes: z.array(SkillFileChange) })
    .nullable(),
  /** Whether the skill will be enabled when installed; false with scripts or scan findings. */
  on: z.boolean(),
  /** The reason why the skill cannot be installed, as text; null if it can. */
  refused: z.string().nullable(),
  /** The hash of everything shown, of every file, and of every file of the skill that it replaces. */
  seen: Seen,
})
export type SkillCandidate = z.infer<typeof SkillCandidate>

export const SkillImport = z.object({
  id: z.string(),
  source: SkillSource.omit({ importedAt: true, within: true, licence: true }),
  candidates: z.array(SkillCandidate),
  /** What was left out, as text: links, and files that are too large. */
  leftOut: z.array(z.string()),
})
export type SkillImport = z.infer<typeof SkillImport>

const id = z.string().min(1).max(600)
const ids = z.array(id).min(1).max(1_000)
const changed = z.object({ revisions: z.array(SkillRevision) })

/** Import and export of skills, and a model's opinion of them. */
export const skillImports = {
  /** Fetch into quarantine and scan. `path` is on this computer: a folder, a SKILL.md or a zip. */
  'skills.fetch': call(
    z.object({
      from: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('path'), path: z.string().min(1).max(4_096) }),
        z.object({
          kind: z.literal('git'),
          address: z.string().min(1).max(2_000),
          ref: z.string().max(200).default(''),
        }),
        z.object({ kind: z.literal('text'), text: z.string().min(1).max(400_000) }),
        z.object({
          kind: z.literal('upload'),
          name: z.string().max(300),
          files: z
            .array(z.object({ path: z.string().min(1).max(600), base64: z.base64().max(30_000_000) }))
            .min(1)
            .max(2_000),
        }),
      ]),
    }),
    SkillImport,
  ),
  /**
   * Install candidates. `as` renames one, `on` enables it despite findings. `accept`: the user has read the
   * lines of a caution.
   */
  'skills.install': call(
    z.object({
      importId: id,
      choices: z
        .array(
          z.object({
            path: z.string().max(600),
            seen: Seen,
            as: z.string().max(200).optional(),
            on: z.boolean().optional(),
            accept: z.boolean().optional(),
          }),
        )
        .min(1)
        .max(1_000),
    }),
    changed.extend({ ids: z.array(z.string()) }),
  ),
  /** A file in quarantine; `text` is null if the file is binary or longer than a megabyte. */
  'skills.importFile': call(
    z.object({ importId: id, candidate: z.string().max(600), path: z.string().min(1).max(400) }),
    z.object({ text: z.string().nullable(), bytes: z.int(), binary: z.boolean() }),
  ),
  'skills.discard': call(z.object({ importId: id }), z.object({})),
  /** Fetch an imported skill again from its source; null if nothing has changed. */
  'skills.update': call(z.object({ id }), z.object({ import: SkillImport.nullable() })),
  'skills.export': call(z.object({ ids }), z.object({ name: z.string(), base64: z.string() })),
  /** A model's opinion of a skill's safety. It can be wrong, and the skill can manipulate it. */
  'skills.secondOpinion': call(
    z.object({ id, modelId: z.string().max(4_096).optional() }),
    z.object({
      model: z.string(),
      verdict: z.enum(['harmless', 'doubtful', 'harmful', 'unclear']),
      text: z.string(),
    }),
  ),
  /**
   * Five questions, by default made from the description: some that should trigger the skill and some that
   * should not.
   */
  'skills.samples': call(z.object({ id }), z.object({ samples: z.array(z.string()) })),
  /** Ask a model, sample by sample, which skill it would load. `unclear`: its answer was not understood. */
  'skills.tryTrigger': stream(
    z.object({
      id,
      samples: z.array(z.string().min(1).max(2_000)).min(1).max(10),
      modelId: z.string().max(4_096).optional(),
    }),
    z.object({
      sample: z.string(),
      chosen: z.string().nullable(),
      isThis: z.boolean(),
      unclear: z.boolean(),
      model: z.string(),
    }),
  ),
}

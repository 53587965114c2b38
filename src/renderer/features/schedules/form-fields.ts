import type { Schedule, ScheduleChoices } from '../../../shared/contract/runs/schedules.ts'

/** The form values. Empty text means the default; `task` is undefined if it comes from the sentence. */
export type Fields = Pick<
  ScheduleChoices,
  'mode' | 'deliver' | 'notes' | 'skills' | 'missed' | 'onBattery'
> & {
  text: string
  task: string | undefined
  name: string
  folder: string
  zone: string
  modelId: string | undefined
  runTokens: string
  runUsd: string
  monthTokens: string
  monthUsd: string
}

const LIMITS = {
  runTokens: 'tokens per run',
  runUsd: 'dollars per run',
  monthTokens: 'tokens per month',
  monthUsd: 'dollars per month',
} as const

/** The form values of a schedule, or of a new one. */
export function fieldsOf(schedule: Schedule | undefined, draft: string): Fields {
  const limit = (name: keyof typeof LIMITS) => String(schedule?.limits[name] ?? '')
  return {
    text: schedule?.words ?? draft,
    task: schedule?.task,
    name: schedule?.name ?? '',
    folder: schedule?.folder ?? '',
    zone: schedule?.zone ?? '',
    modelId: schedule?.modelId,
    mode: schedule?.mode ?? 'none',
    deliver: schedule?.deliver ?? 'notification',
    notes: schedule?.notes ?? ['user', 'memory', 'project'],
    skills: schedule?.skills ?? [],
    missed: schedule?.missed ?? 'latest',
    onBattery: schedule?.onBattery ?? 'run',
    runTokens: limit('runTokens'),
    runUsd: limit('runUsd'),
    monthTokens: limit('monthTokens'),
    monthUsd: limit('monthUsd'),
  }
}

type Choices = Partial<ScheduleChoices> & { zone?: string }

/** The form values as sent to the host, or what is wrong with a limit. */
export function choicesOf(fields: Fields): { choices: Choices } | { problem: string } {
  const { task, name, folder, zone, modelId, mode, deliver, notes, skills, missed, onBattery } = fields
  const limits: ScheduleChoices['limits'] = {
    runTokens: null,
    runUsd: null,
    monthTokens: null,
    monthUsd: null,
  }
  for (const each of Object.keys(LIMITS) as (keyof typeof LIMITS)[]) {
    const written = fields[each].trim()
    if (written === '') continue
    const value = Number(written)
    if (!(value > 0 && value <= 1e12))
      return { problem: `“${written}” is not a valid limit for ${LIMITS[each]}. Enter a number above 0.` }
    limits[each] = value
  }
  return {
    choices: {
      mode,
      deliver,
      notes,
      skills,
      missed,
      onBattery,
      limits,
      ...(task !== undefined && task.trim() !== '' && { task }),
      ...(name.trim() !== '' && { name }),
      ...(folder.trim() !== '' && { folder }),
      ...(zone.trim() !== '' && { zone: zone.trim() }),
      ...(modelId !== undefined && { modelId }),
    },
  }
}

import { useId, useState, type ReactNode } from 'react'
import type { Schedule } from '../../../shared/contract/runs/schedules.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { attemptCall } from '../../rpc/attempt.ts'
import { useHost, useLink } from '../../rpc/host-context.tsx'
import { useAnswer, useSettled } from '../../rpc/use-answer.ts'
import { Select, Switch } from '../../ui/fields/Choice.tsx'
import { Dialog, DialogButtons } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { showToast } from '../../ui/Toasts.tsx'
import { choicesOf, fieldsOf, type Fields } from './form-fields.ts'
import { ScheduleSkills } from './ScheduleSkills.tsx'
import { useHostCall } from '../../use-host-call.ts'
import { formatIn } from './use-schedules.ts'

const TYPING_MS = 200

type Props = {
  /** The schedule to edit; undefined for a new one. */
  schedule: Schedule | undefined
  /** The initial text of a new schedule. */
  draft: string
  onSaved: (id: string) => void
  onClose: () => void
}

/** Adds or edits a schedule. While the user types, the next times show what was understood. */
export function ScheduleForm({ schedule, draft, onSaved, onClose }: Props): ReactNode {
  const { client } = useLink()
  const act = useHostCall()
  const [fields, setFields] = useState<Fields>(() => fieldsOf(schedule, draft))
  const [isMore, setMore] = useState(schedule !== undefined)
  const [isTried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const set = (given: Partial<Fields>) => setFields(now => ({ ...now, ...given }))
  const text = useSettled(fields.text, TYPING_MS)
  const zone = fields.zone.trim()
  const reading = useAnswer(
    'schedule.parse',
    { text, ...(zone !== '' && { zone }) },
    { isOnce: true, isOff: text.trim() === '' },
  )
  const known = reading?.ok && text.trim() !== '' ? reading.value : undefined
  const planned = known && known.kind !== 'refused' ? known : undefined
  const task = fields.task ?? planned?.task ?? ''
  const isReady = planned !== undefined && text === fields.text && task.trim() !== ''

  async function save() {
    if (!isReady || isBusy) return
    const read = choicesOf({ ...fields, task })
    if ('problem' in read) return setProblem(read.problem)
    setBusy(true)
    const answer = await attemptCall(
      schedule
        ? client['schedule.update']({
            id: schedule.id,
            seen: schedule.seen,
            ...read.choices,
            ...(fields.text !== schedule.words && { text: fields.text }),
          })
        : client['schedule.add']({ ...read.choices, text: fields.text }),
    )
    setBusy(false)
    // A toast would be hidden behind this dialog.
    if (!answer.ok) return setProblem(answer.fault.message)
    const saved = answer.value
    const isVoid = schedule !== undefined && schedule.grants.length > 0 && saved.grants.length === 0
    if (isVoid) showToast('What you allowed in its trial run was revoked, because the schedule has changed.')
    if (isTried) await act(host => host['schedule.run']({ id: saved.id, seen: saved.seen, trial: true }))
    onSaved(saved.id)
    onClose()
  }

  return (
    <Dialog
      title={schedule ? `Edit ${schedule.name}` : 'Add a schedule'}
      closeLabel="Close"
      width="medium"
      onClose={onClose}
    >
      <form
        className="grid grid-cols-[minmax(0,1fr)] gap-3.5"
        onSubmit={event => {
          event.preventDefault()
          void save()
        }}
      >
        <TextField
          label="When, and what"
          placeholder="every weekday at 8 summarise my notes"
          hint="In English or German, or as a cron expression. Hours use the 24-hour clock."
          maxLength={20_000}
          value={fields.text}
          onChange={event => set({ text: event.target.value })}
        />
        <output
          aria-label="What was understood"
          className="block rounded-lg bg-sunken px-3 py-2 text-sm empty:hidden"
        >
          {planned && (
            <>
              <span className="block font-medium">{`${planned.inWords} (${planned.zone})`}</span>
              {planned.next.map(each => (
                <span key={each} className="block text-xs text-ink-2">
                  {formatIn(planned.zone, each)}
                </span>
              ))}
            </>
          )}
          {known?.kind === 'refused' && <span className="text-warn">{showHidden(known.reason)}</span>}
          {reading?.ok === false && <span className="text-danger">{reading.fault.message}</span>}
        </output>
        <TaskField value={task} onChange={value => set({ task: value })} />
        {isMore ? (
          <MoreFields fields={fields} set={set} />
        ) : (
          <button
            type="button"
            className="btn btn-quiet justify-self-start"
            aria-expanded="false"
            onClick={() => setMore(true)}
          >
            Folder, model, limits and more
          </button>
        )}
        {schedule === undefined && (
          <Switch
            label="Trial run now"
            hint="It really runs, and asks you. What you allow stays allowed in this schedule."
            on={isTried}
            onChange={setTried}
          />
        )}
        {problem !== '' && (
          <p role="alert" className="text-sm text-danger">
            {showHidden(problem)}
          </p>
        )}
        <DialogButtons label={schedule ? 'Save' : 'Add'} disabled={!isReady || isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

function TaskField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const id = useId()
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-xs font-medium text-ink-2">
        Task
      </label>
      <textarea
        id={id}
        dir="auto"
        rows={3}
        maxLength={20_000}
        placeholder="What to ask the agent each time"
        className="field"
        value={value}
        onChange={event => onChange(event.target.value)}
      />
    </div>
  )
}

function MoreFields({ fields, set }: { fields: Fields; set: (given: Partial<Fields>) => void }) {
  const models = useHost(host => host.models)
  const defaultId = useHost(host => host.defaultModelId)
  const folder = useHost(host => host.hello?.workspace ?? '')
  const chosen = fields.modelId ?? defaultId
  const offered = models.some(each => each.id === chosen)
    ? []
    : [{ value: chosen, label: `${chosen} (missing)` }]
  const texts = (name: 'name' | 'folder' | 'zone' | 'runTokens' | 'runUsd' | 'monthTokens' | 'monthUsd') => ({
    value: fields[name],
    onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value }),
  })
  return (
    <>
      <TextField label="Name" placeholder="The first words of the task" maxLength={120} {...texts('name')} />
      <TextField label="Folder" placeholder={folder} dir="ltr" maxLength={4_096} {...texts('folder')} />
      <Select
        label="Model"
        showLabel
        value={chosen}
        options={[...models.map(({ id, name }) => ({ value: id, label: name })), ...offered]}
        onChange={modelId => set({ modelId })}
      />
      <TextField
        label="Time zone"
        placeholder="The time zone of this computer"
        dir="ltr"
        maxLength={100}
        {...texts('zone')}
      />
      <Select
        label="What runs without a question"
        showLabel
        value={fields.mode}
        options={[
          { value: 'none', label: 'Only what never needs asking' },
          { value: 'reads', label: 'Also read-only commands' },
        ]}
        onChange={mode => set({ mode })}
      />
      <Select
        label="How it tells you"
        showLabel
        value={fields.deliver}
        options={[
          { value: 'notification', label: 'A notification without content' },
          { value: 'content', label: 'A notification with the start of its answer' },
          { value: 'messenger', label: 'Its answer, on your messenger' },
          { value: 'chat', label: 'Only its chat' },
        ]}
        onChange={deliver => set({ deliver })}
      />
      <fieldset className="grid gap-1">
        <legend className="mb-1 text-xs font-medium text-ink-2">Notes that it reads</legend>
        {(['user', 'memory', 'project'] as const).map(note => (
          <label key={note} className="flex items-center gap-2 text-sm">
            <input
              type="checkbox"
              className="check"
              checked={fields.notes.includes(note)}
              onChange={event =>
                set({
                  notes: event.target.checked
                    ? [...fields.notes, note]
                    : fields.notes.filter(each => each !== note),
                })
              }
            />
            {NOTES[note]}
          </label>
        ))}
      </fieldset>
      <ScheduleSkills
        chosen={fields.skills}
        folder={fields.folder.trim()}
        onChange={skills => set({ skills })}
      />
      <Switch
        label="Catch up on a missed run"
        hint="Once, for the latest one within seven days, when Talaria starts or the computer wakes up."
        on={fields.missed === 'latest'}
        onChange={on => set({ missed: on ? 'latest' : 'none' })}
      />
      <Switch
        label="Run on battery"
        hint="Off: it is skipped while the computer is not on mains power."
        on={fields.onBattery === 'run'}
        onChange={on => set({ onBattery: on ? 'run' : 'skip' })}
      />
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label="Maximum tokens per run"
          inputMode="numeric"
          placeholder="No limit"
          {...texts('runTokens')}
        />
        <TextField
          label="Maximum dollars per run"
          inputMode="decimal"
          placeholder="No limit"
          {...texts('runUsd')}
        />
        <TextField
          label="Maximum tokens per month"
          inputMode="numeric"
          placeholder="No limit"
          {...texts('monthTokens')}
        />
        <TextField
          label="Maximum dollars per month"
          inputMode="decimal"
          placeholder="No limit"
          {...texts('monthUsd')}
        />
      </div>
    </>
  )
}

const NOTES = { user: 'About you', memory: 'The agent’s notes', project: 'Notes about its folder' }

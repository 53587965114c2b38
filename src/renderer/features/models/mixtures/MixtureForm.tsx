import { useEffect, useState, type ReactNode } from 'react'
import { MOST_REFERENCES, type Model } from '../../../../shared/contract/models/model.ts'
import { showHiddenInLine } from '../../../../shared/visible-text/show-hidden.ts'
import { attemptCall } from '../../../rpc/attempt.ts'
import { useHost, useLink } from '../../../rpc/host-context.tsx'
import { Problem } from '../../../ui/Banner.tsx'
import { Select } from '../../../ui/fields/Choice.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { showToast } from '../../../ui/Toasts.tsx'

/** A model that may be part of a mixture, or a part that is no longer in the list. */
type Candidate = { id: string; name: string; note: string; isGone: boolean }

const GONE = 'no longer in the list'

function candidatesFor(models: readonly Model[], members: readonly string[]): Candidate[] {
  const usable = models.filter(({ kind }) => kind === 'file' || kind === 'server')
  const here = usable.map(({ id, name, detail, problem, server }) => ({
    id,
    name: showHiddenInLine(name),
    note:
      problem ??
      (server
        ? server.nearby
          ? 'a server on this computer'
          : 'a server elsewhere'
        : showHiddenInLine(detail)),
    isGone: false,
  }))
  const gone = [...new Set(members)]
    .filter(id => !usable.some(model => model.id === id))
    .map(id => ({ id, name: nameOfGone(id), note: GONE, isGone: true }))
  return [...here, ...gone]
}

const nameOfGone = (id: string) => showHiddenInLine(id.replace(/^(?:server|file):/, ''))

/**
 * The form that creates or edits a mixture: its name, the models that advise, the model that answers, and the
 * cost.
 */
export function MixtureForm({ known, onDone }: { known?: Model | undefined; onDone: () => void }): ReactNode {
  const { client } = useLink()
  const models = useHost(host => host.models)
  const before = known?.mixture
  const [members] = useState(before ? [...before.references, before.aggregator] : [])
  const candidates = candidatesFor(models, members)
  const [name, setName] = useState(known?.name ?? '')
  const [references, setReferences] = useState<readonly string[]>(before?.references ?? [])
  const [aggregator, setAggregator] = useState(before?.aggregator ?? '')
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const isReady = name.trim() !== '' && references.length > 0 && aggregator !== ''

  if (!candidates.some(({ isGone }) => !isGone))
    return (
      <p className="text-sm text-ink-2">
        A mixture asks models from the list. Add a model file or a server first. The built-in model cannot be
        part of a mixture.
      </p>
    )

  async function save() {
    setBusy(true)
    const answer = await attemptCall(
      client['model.setMixture']({
        ...(known && { id: known.id }),
        name,
        references: [...references],
        aggregator,
      }),
    )
    setBusy(false)
    setProblem(answer.ok ? '' : answer.fault.message)
    if (!answer.ok) return
    showToast(known ? `${answer.value.name} was changed.` : `${answer.value.name} is in the list.`)
    onDone()
  }
  const toggle = (id: string, isOn: boolean) =>
    setReferences(isOn ? [...references, id] : references.filter(each => each !== id))

  return (
    <form
      className="grid grid-cols-[minmax(0,1fr)] gap-3.5"
      onSubmit={event => {
        event.preventDefault()
        if (isReady && !isBusy) void save()
      }}
    >
      <TextField
        label="Name"
        placeholder="Its name in Talaria"
        maxLength={60}
        value={name}
        onChange={event => setName(event.target.value)}
      />
      <fieldset>
        <legend className="mb-1 text-xs font-medium text-ink-2">{`Models to ask for advice on each of your messages, without tools (at most ${MOST_REFERENCES})`}</legend>
        <ul className="grid max-h-64 gap-1 overflow-y-auto">
          {candidates.map(each => (
            <Reference
              key={each.id}
              candidate={each}
              isOn={references.includes(each.id)}
              isFull={references.length >= MOST_REFERENCES}
              onToggle={isOn => toggle(each.id, isOn)}
            />
          ))}
        </ul>
      </fieldset>
      <Select
        label="Model that reads the advice and answers, with tools"
        showLabel
        value={aggregator}
        options={[
          ...(aggregator === '' ? [{ value: '', label: 'Choose a model' }] : []),
          ...candidates.map(({ id, name: label, isGone }) => ({
            value: id,
            label: isGone ? `${label} (${GONE})` : label,
          })),
        ]}
        onChange={setAggregator}
      />
      <Cost references={references} aggregator={aggregator} />
      <Problem text={problem} />
      <button type="submit" className="btn btn-primary justify-self-end px-5" disabled={!isReady || isBusy}>
        {known ? 'Save the mixture' : 'Add the mixture'}
      </button>
    </form>
  )
}

/** The form in a dialog, for a new mixture. */
export const MixtureDialog = ({ onClose }: { onClose: () => void }): ReactNode => (
  <Dialog title="Add a mixture of models" closeLabel="Close" width="medium" onClose={onClose}>
    <MixtureForm onDone={onClose} />
  </Dialog>
)

type ReferenceProps = {
  candidate: Candidate
  isOn: boolean
  /** Whether the maximum number of models is chosen. */
  isFull: boolean
  onToggle: (isOn: boolean) => void
}

function Reference({ candidate: { name, note, isGone }, isOn, isFull, onToggle }: ReferenceProps) {
  // A model that is gone can only be deselected.
  const isFixed = !isOn && (isFull || isGone)
  return (
    <li>
      <label className="flex min-h-6 items-start gap-2 text-sm">
        <input
          type="checkbox"
          className="mt-1"
          checked={isOn}
          disabled={isFixed}
          onChange={event => onToggle(event.target.checked)}
        />
        <span dir="auto" className="min-w-0 break-words">
          {name}
          <span className={`block text-xs ${isGone ? 'text-danger' : 'text-ink-3'}`}>{note}</span>
        </span>
      </label>
    </li>
  )
}

/** The cost of each message with the chosen models, from the host's prices. */
function Cost({ references, aggregator }: { references: readonly string[]; aggregator: string }) {
  const { client } = useLink()
  const [text, setText] = useState('')
  const isChosen = references.length > 0 && aggregator !== ''
  useEffect(() => {
    if (!isChosen) return undefined
    let isOver = false
    void attemptCall(client['model.mixtureCost']({ references: [...references], aggregator })).then(
      answer => {
        if (!isOver) setText(answer.ok ? answer.value.text : answer.fault.message)
      },
    )
    return () => {
      isOver = true
    }
  }, [client, references, aggregator, isChosen])
  return (
    <output className="block text-sm text-ink-2">
      {isChosen ? text : 'Choose models to see what each message costs.'}
    </output>
  )
}

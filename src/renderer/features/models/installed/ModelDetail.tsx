import { type ReactNode, useState, useId } from 'react'
import type { Model, ModelFile, ModelServer, ServerCheck } from '../../../../shared/contract/models/model.ts'
import { sayRereads, sayThinking } from '../../../../shared/words/model-words.ts'
import { formatCount, formatRate, formatDuration } from '../../../ui/text/format-values.ts'
import { attemptCall, type Outcome } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { showToast } from '../../../ui/Toasts.tsx'
import { isLocal, parametersText } from '../models-state.ts'
import { ServerFields } from '../add-server/ServerFields.tsx'
import { MixtureForm } from '../mixtures/MixtureForm.tsx'
import { FitPanel } from './Fit.tsx'
import { ToolsTrial } from './ToolsTrial.tsx'
import { ModelSettings } from './ModelSettings.tsx'

const FORMAT_SOURCES = { template: 'from its template', name: 'from its name', default: 'a guess' } as const

const templateText = ({ base, templateProblem }: ModelFile): string =>
  base
    ? 'none, so a general one is used'
    : templateProblem === null
      ? 'in the file'
      : 'not usable, so a general one is used'

/** All details and settings of a model. */
export function ModelDetail({ model }: { model: Model }): ReactNode {
  return (
    <div className="grid gap-6">
      {isLocal(model) && model.problem === null && <FitPanel model={model} />}
      {!model.demo && model.problem === null && <ToolsTrial model={model} />}
      {model.mixture && <MixtureDetail model={model} />}
      {model.server && <ServerDetail model={model} server={model.server} />}
      {model.file && <Facts title="What the file says" facts={factsOf(model.file, model.demo)} />}
      {!model.demo && <ModelSettings model={model} />}
    </div>
  )
}

/** The form of a mixture, reset after the mixture changed here or elsewhere. */
function MixtureDetail({ model }: { model: Model }) {
  return (
    <section aria-label="The models of this mixture">
      <MixtureForm key={JSON.stringify([model.name, model.mixture])} known={model} onDone={() => undefined} />
    </section>
  )
}

function factsOf(file: ModelFile, isBuiltIn: boolean): Fact[] {
  return [
    ['Location', file.owned ? `${file.path} (Talaria’s own folder)` : file.path],
    ['Parts', file.parts > 1 ? `${file.parts} files` : ''],
    ['Architecture', file.architecture],
    ['Parameters', file.parameters > 0 ? parametersText(file.parameters) : ''],
    [
      'Quantisation',
      file.bitsPerWeight > 0
        ? `${file.quantisation || 'mixed'}, ${formatRate(file.bitsPerWeight)} bits per weight`
        : file.quantisation,
    ],
    ['Trained for', file.trainedTokens > 0 ? `${formatCount(file.trainedTokens)} tokens` : ''],
    ['Chat template', templateText(file)],
    ['Thinking', file.base ? '' : sayThinking(file.thinking)],
    ['Rereading', file.rereads === null ? '' : sayRereads(file.rereads)],
    [
      'Calls tools as',
      isBuiltIn ? file.format.name : `${file.format.name} (${FORMAT_SOURCES[file.format.from]})`,
    ],
    ['Licence', file.licence || 'the file does not say'],
    ['Images', file.vision],
  ]
}

const KEYS = { stored: 'stored by Talaria', environment: 'from the environment', none: 'none' } as const

const PROTOCOLS = { openai: 'OpenAI', anthropic: 'Anthropic' } as const

/** The address of a server, the source of its key, and a connection test. */
function ServerDetail({ model, server }: { model: Model; server: ModelServer }): ReactNode {
  const { client } = useLink()
  const [busy, setBusy] = useState(false)
  const [answered, setAnswered] = useState<{ about: ModelServer; answer: Outcome<ServerCheck> }>()
  const { protocol, baseUrl } = server
  // Ignore a stale answer from before the server was edited.
  const answer = answered && isSame(answered.about, server) ? answered.answer : undefined
  const test = async () => {
    setBusy(true)
    setAnswered(undefined)
    const asked = { id: model.id, protocol, baseUrl, model: server.model }
    setAnswered({ about: server, answer: await attemptCall(client['model.tryServer'](asked)) })
    setBusy(false)
  }
  return (
    <div className="grid justify-items-start gap-3">
      <Facts
        title="The server"
        facts={[
          ['Address', baseUrl],
          ['Model there', server.model],
          ['Protocol', PROTOCOLS[protocol]],
          ['Key', KEYS[server.key]],
          ['Maximum wait', server.startTimeoutS === null ? '' : formatDuration(server.startTimeoutS * 1_000)],
        ]}
      />
      <p className="text-xs text-ink-2">
        {server.nearby
          ? 'It runs on this computer, so nothing leaves this computer.'
          : 'What you write in chats with this model is sent there.'}
      </p>
      <div className="flex flex-wrap gap-2">
        <button type="button" className="btn btn-secondary" disabled={busy} onClick={() => void test()}>
          {busy ? 'Testing…' : 'Test'}
        </button>
        <ChangeServer model={model} />
      </div>
      <output className="grid gap-1 text-sm">{answer && <Answer answer={answer} />}</output>
    </div>
  )
}

function Answer({ answer }: { answer: Outcome<ServerCheck> }) {
  if (!answer.ok) return <p className="text-danger">{answer.fault.message}</p>
  const { ok, text: says, fix, ms } = answer.value
  return (
    <>
      <p className={ok ? 'text-good' : 'text-danger'}>{says}</p>
      {ok ? (
        <p className="text-xs text-ink-3">{`It answered after ${formatDuration(ms)}.`}</p>
      ) : (
        <p className="text-ink-2">{fix}</p>
      )}
    </>
  )
}

const isSame = (a: ModelServer, b: ModelServer): boolean =>
  a.protocol === b.protocol && a.baseUrl === b.baseUrl && a.model === b.model && a.key === b.key

/** The button that edits a known server. Chats that use the server keep it. */
function ChangeServer({ model }: { model: Model }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        className="btn btn-secondary"
        onClick={() => setOpen(true)}
      >
        Change…
      </button>
      {isOpen && (
        <Dialog title={`Change ${model.name}`} closeLabel="Close" onClose={() => setOpen(false)}>
          <ServerFields
            known={model}
            onDone={({ name }) => {
              setOpen(false)
              showToast(`${name} was changed.`)
            }}
          />
        </Dialog>
      )}
    </>
  )
}

/** A label and its value. The value is empty if unknown. */
type Fact = readonly [name: string, value: string]

/** A short table of facts. Unknown facts are left out. */
export function Facts({ title, facts }: { title: string; facts: readonly Fact[] }): ReactNode {
  const id = useId()
  return (
    <section aria-labelledby={id} className="grid gap-1.5">
      <h2 id={id} className="text-xs font-semibold text-ink-2">
        {title}
      </h2>
      <dl className="facts">
        {facts
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-ink-3">{name}</dt>
              <dd dir="auto" className="min-w-0 break-words">
                {value}
              </dd>
            </div>
          ))}
      </dl>
    </section>
  )
}

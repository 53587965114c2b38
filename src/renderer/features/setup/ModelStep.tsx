import { Check, FileUp, FolderSearch, Server, type LucideIcon } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { HostClient } from '../../../shared/contract/index.ts'
import type { Machine, Model } from '../../../shared/contract/models/model.ts'
import { attemptCall } from '../../rpc/attempt.ts'
import { useHost, useLink } from '../../rpc/host-context.tsx'
import { useAnswer } from '../../rpc/use-answer.ts'
import { Spinner } from '../../ui/Progress.tsx'
import { showToast } from '../../ui/Toasts.tsx'
import { OfferedModelCard, type OfferedModel } from './OfferedModelCard.tsx'
import { Problem } from '../../ui/Banner.tsx'

/** Ways to add a model that other features provide. */
export type Ways = { onAddFile: () => void; onAddServer: () => void; onScan: () => void }
type Props = Ways & { machine: Machine | undefined }

/** Offers three models to download, and ways to use an existing one. */
export function ModelStep({ machine, onAddFile, onAddServer, onScan }: Props): ReactNode {
  return (
    <>
      <p className="text-ink-2">
        A model is one large file. Bigger ones understand more and answer more slowly. A tiny demo model is
        built in and answers until you have another one.
      </p>
      <OwnModels />
      <Suggested machine={machine} />
      <section className="grid gap-2">
        <h2 className="text-sm font-semibold">Or use what you have</h2>
        <Way
          Icon={FileUp}
          label="A .gguf file…"
          hint="It stays where it is. You can also drop it anywhere on this window."
          onClick={onAddFile}
        />
        <Way
          Icon={FolderSearch}
          label="Look in LM Studio, Jan, GPT4All and Ollama…"
          hint="Searches only when you press this, and leaves everything where it is."
          onClick={onScan}
        />
        <Way
          Icon={Server}
          label="A server address…"
          hint="Ollama, LM Studio, llama-server, vLLM, OpenRouter, Anthropic …"
          onClick={onAddServer}
        />
        <p className="text-xs text-ink-3">Or later: the Models page has all of this.</p>
      </section>
    </>
  )
}

function Suggested({ machine }: { machine: Machine | undefined }) {
  const [tries, setTries] = useState(0)
  const listed = useAnswer('catalogue.list', {}, { isOnce: true, by: String(tries) })
  const choices = listed?.ok ? choicesOf(listed.value) : []
  const withTools = choices.find(({ model }) => model.format !== '')
  return (
    <section className="grid gap-3">
      <h2 className="sr-only">For this computer</h2>
      <Lock />
      {!listed && (
        <output className="flex items-center gap-2 text-sm text-ink-2">
          <Spinner />
          Finding models that suit this computer…
        </output>
      )}
      {listed?.ok && choices.length === 0 && (
        <p className="text-sm text-ink-2">
          The list has no model for this computer. You can still use a small model file of your own, or a
          server.
        </p>
      )}
      {listed && !listed.ok && (
        <div className="grid justify-items-start gap-2 text-sm">
          <Problem className="" text={`The list of models could not be read: ${listed.fault.message}`} />
          <button type="button" className="btn btn-secondary" onClick={() => setTries(tries + 1)}>
            Try again
          </button>
        </div>
      )}
      {choices.length > 0 && (
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-3 rail:grid-cols-3">
          {choices.map(choice => (
            <OfferedModelCard
              key={choice.kind}
              choice={choice}
              machine={machine}
              better={withTools ? withTools.model.name : ''}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

/** Unlocks the network here, because the settings are not reachable during setup. */
function Lock() {
  const locked = useHost(host => host.locked)
  const setLocked = useHost(host => host.setLocked)
  if (!locked) return null
  const unlock = async () => {
    const answer = await setLocked(false)
    if (!answer.ok) showToast(answer.fault.message, { level: 'error' })
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border border-warn-line bg-warn-soft px-3 py-2 text-sm">
      <p className="flex-1 basis-60">The offline lock is on, so nothing can be downloaded.</p>
      <button type="button" className="btn btn-secondary" onClick={() => void unlock()}>
        Turn the lock off
      </button>
    </div>
  )
}

/** Lists the added models as confirmation. One of them can become the default for new chats. */
function OwnModels() {
  const { client } = useLink()
  const models = useHost(host => host.models)
  const defaultId = useHost(host => host.defaultModelId)
  const own = models.filter(model => !model.demo && model.problem === null)
  if (own.length === 0) return null
  const choose = async ({ id }: Model) => {
    const answer = await attemptCall(client['model.setDefault']({ id }))
    if (!answer.ok) showToast(answer.fault.message, { level: 'error' })
  }
  return (
    <section className="grid gap-2">
      <h2 className="text-sm font-semibold">Models you already have</h2>
      <ul className="grid max-h-52 grid-cols-[minmax(0,1fr)] gap-1 overflow-y-auto">
        {own.map(model => (
          <li
            key={model.id}
            className="flex min-h-8 flex-wrap items-center gap-x-3 rounded-lg bg-sunken px-3 py-1 text-sm"
          >
            <Check size={16} className="shrink-0 text-good" />
            <span dir="auto" className="min-w-0 flex-1 break-words">
              {model.name}
            </span>
            {model.id === defaultId ? (
              <span className="text-xs text-ink-2">Answers in new chats</span>
            ) : (
              <button
                type="button"
                className="btn btn-quiet"
                aria-label={`Use in new chats: ${model.name}`}
                onClick={() => void choose(model)}
              >
                Use in new chats
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The three models that suit this computer, without duplicates. */
function choicesOf({ models, suggested }: Awaited<ReturnType<HostClient['catalogue.list']>>): OfferedModel[] {
  const seen = new Set<string>()
  // Of duplicates, keep the recommended one.
  const found = (['balanced', 'light', 'best'] as const).flatMap(kind => {
    const id = suggested[kind]
    const model = models.find(each => each.files.some(file => file.id === id))
    const file = model?.files.find(each => each.id === id)
    if (!model || !file || seen.has(id)) return []
    seen.add(id)
    return [{ kind, model, file }]
  })
  const order = ['light', 'balanced', 'best']
  return found.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
}

type WayProps = { Icon: LucideIcon; label: string; hint: string; onClick: () => void }

function Way({ Icon, label, hint, onClick }: WayProps) {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      className="flex items-center gap-3 rounded-xl border border-line px-4 py-2.5 text-start hover:bg-hover"
      onClick={onClick}
    >
      <Icon size={18} className="shrink-0 text-ink-3" />
      <span>
        <span className="block text-sm font-medium">{label}</span>
        <span className="block text-xs text-ink-3">{hint}</span>
      </span>
    </button>
  )
}

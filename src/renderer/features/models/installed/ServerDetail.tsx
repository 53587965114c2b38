import { useState, type ReactNode } from 'react'
import type { Model, ModelServer, ServerCheck } from '../../../../shared/contract/model.ts'
import { attempt, type Outcome } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { ChangeServer } from '../add-server/ChangeServer.tsx'
import { Facts } from '../Facts.tsx'
import { formatDuration } from '../../../ui/format.ts'

const KEYS = { stored: 'stored by Talaria', environment: 'from the environment', none: 'none' } as const

const PROTOCOLS = { openai: 'OpenAI', anthropic: 'Anthropic' } as const

/** The address of a server, the source of its key, and a connection test. */
export function ServerDetail({ model, server }: { model: Model; server: ModelServer }): ReactNode {
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
    setAnswered({ about: server, answer: await attempt(client['model.tryServer'](asked)) })
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
        <p className="text-xs text-ink-3">It answered after {formatDuration(ms)}.</p>
      ) : (
        <p className="text-ink-2">{fix}</p>
      )}
    </>
  )
}

const isSame = (a: ModelServer, b: ModelServer): boolean =>
  a.protocol === b.protocol && a.baseUrl === b.baseUrl && a.model === b.model && a.key === b.key

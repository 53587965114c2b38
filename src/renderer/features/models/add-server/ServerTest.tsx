import type { ReactNode } from 'react'
import { Spinner } from '../../../ui/Progress.tsx'
import { formatDuration } from '../../../ui/format.ts'
import type { ServerForm } from './use-server-form.ts'

/** Tests the connection to the server and shows the result. */
export function ServerTest({ form }: { form: ServerForm }): ReactNode {
  const { address, answer, testing, test } = form
  return (
    <div className="grid justify-items-start gap-1.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <button
          type="button"
          className="btn btn-secondary"
          disabled={testing || address.kind !== 'known'}
          onClick={() => void test()}
        >
          {testing && <Spinner />}
          {testing ? 'Testing…' : 'Test'}
        </button>
        {!answer && <p className="text-xs text-ink-3">Asks which models it has. Only the key is sent.</p>}
      </div>
      <output className="grid gap-0.5 text-sm">{answer && <Answer answer={answer} />}</output>
    </div>
  )
}

function Answer({ answer }: { answer: NonNullable<ServerForm['answer']> }) {
  if (!answer.ok) return <p className="text-danger">{answer.fault.message}</p>
  const { ok, text: says, fix, ms } = answer.value
  return (
    <>
      <p className={ok ? 'text-good' : 'text-danger'}>
        {says} <span className="text-xs text-ink-3">It took {formatDuration(ms)}.</span>
      </p>
      {fix !== '' && <p className="text-ink-2">{fix}</p>}
    </>
  )
}

import { useState, type ReactNode } from 'react'
import type { Model } from '../../../shared/contract/model.ts'
import { attempt, type Outcome } from '../../rpc/attempt.ts'
import { useLink } from '../../rpc/host-context.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { modelsText } from './strings.ts'

const text = modelsText.add

type How = 'file' | 'server'
type Props = { how: How; onAdded: (model: Model) => void; onClose: () => void }

/** Link a model file where it is, or name a server that has one. */
export function AddModelDialog({ how: first, onAdded, onClose }: Props): ReactNode {
  const [how, setHow] = useState<How>(first)
  const options = [
    { value: 'file' as const, label: text.file },
    { value: 'server' as const, label: text.server },
  ]
  return (
    <Dialog title={text.title} closeLabel={text.close} onClose={onClose}>
      <div className="grid gap-4">
        <Segmented label={text.which} options={options} value={how} onChange={setHow} />
        {how === 'file' ? <FileForm onAdded={onAdded} /> : <ServerForm onAdded={onAdded} />}
      </div>
    </Dialog>
  )
}

function FileForm({ onAdded }: { onAdded: (model: Model) => void }) {
  const { client } = useLink()
  const [path, setPath] = useState('')
  const { busy, error, submit, clear } = useSubmit(() => client['model.add']({ path }), onAdded)
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <TextField
        label={text.path}
        placeholder={text.pathPlaceholder}
        hint={text.pathHint}
        error={error}
        dir="ltr"
        value={path}
        onChange={event => {
          setPath(event.target.value)
          clear()
        }}
      />
      <Submit busy={busy} ready={path.trim() !== ''} />
    </form>
  )
}

function ServerForm({ onAdded }: { onAdded: (model: Model) => void }) {
  const { client } = useLink()
  const [server, setServer] = useState({ name: '', baseUrl: '', model: '', apiKey: '' })
  const { busy, error, submit, clear } = useSubmit(() => client['model.addServer'](server), onAdded)
  const field = (name: keyof typeof server) => ({
    value: server[name],
    onChange: (event: { target: { value: string } }) => {
      setServer({ ...server, [name]: event.target.value })
      clear()
    },
  })
  const badAddress =
    server.baseUrl !== '' && !/^https?:\/\/./u.test(server.baseUrl) ? text.badAddress : undefined
  const ready =
    server.name.trim() !== '' && server.baseUrl !== '' && !badAddress && server.model.trim() !== ''
  return (
    <form className="grid gap-3.5" onSubmit={submit}>
      <TextField label={text.name} placeholder={text.namePlaceholder} maxLength={60} {...field('name')} />
      <TextField
        label={text.address}
        placeholder={text.addressPlaceholder}
        hint={text.addressHint}
        error={badAddress}
        inputMode="url"
        dir="ltr"
        {...field('baseUrl')}
      />
      <TextField label={text.model} placeholder={text.modelPlaceholder} dir="ltr" {...field('model')} />
      <TextField label={text.key} hint={text.keyHint} type="password" dir="ltr" {...field('apiKey')} />
      <p className="text-xs text-ink-2">{text.leaves}</p>
      {error !== undefined && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
      <Submit busy={busy} ready={ready} />
    </form>
  )
}

function Submit({ busy, ready }: { busy: boolean; ready: boolean }) {
  return (
    <button type="submit" className="btn btn-primary justify-self-end px-5" disabled={busy || !ready}>
      {busy ? text.adding : text.submit}
    </button>
  )
}

/** Ask the host once at a time and keep what was wrong beside the form. */
function useSubmit(ask: () => Promise<Model>, onAdded: (model: Model) => void) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const send = async () => {
    setBusy(true)
    const added: Outcome<Model> = await attempt(ask())
    setBusy(false)
    if (added.ok) onAdded(added.value)
    else setError(added.fault.message)
  }
  return {
    busy,
    error,
    clear: () => setError(undefined),
    submit: (event: { preventDefault(): void }) => {
      event.preventDefault()
      void send()
    },
  }
}

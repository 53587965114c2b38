import { useId, useState, type FormEvent, type ReactNode } from 'react'
import { useHost } from '../../../rpc/host-context.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { useModelActions } from '../use-model-actions.ts'

/** Downloads a file from a URL that the user enters. */
export function FromAddress(): ReactNode {
  const id = useId()
  const locked = useHost(host => host.locked)
  const { download } = useModelActions()
  const [address, setAddress] = useState('')
  const [sha256, setSha] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const isAddress = /^https?:\/\/[^\s/]+\/\S/iu.test(address.trim())
  const isSha = sha256.trim() === '' || /^[0-9a-f]{64}$/iu.test(sha256.trim())
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!isAddress || !isSha || busy || locked) return
    setBusy(true)
    const sum = sha256.trim()
    const begun = await download({ address: address.trim(), ...(sum === '' ? {} : { sha256: sum }) })
    setBusy(false)
    if (!begun.ok) return setProblem(begun.fault.message)
    setAddress('')
    setSha('')
  }
  return (
    <section aria-labelledby={id} className="grid gap-2">
      <h2 id={id} className="text-sm font-semibold">
        From an address
      </h2>
      <form className="grid gap-3" onSubmit={event => void submit(event)}>
        <TextField
          label="Address of a .gguf file"
          hint="For a split model, the first part. The file is downloaded only from this address."
          error={
            problem ??
            (address === '' || /^h(t|$)/iu.test(address.trim())
              ? undefined
              : 'An address starts with https:// or http://.')
          }
          inputMode="url"
          dir="ltr"
          maxLength={4_000}
          value={address}
          onChange={event => {
            setAddress(event.target.value)
            setProblem(undefined)
          }}
        />
        <TextField
          label="Checksum (SHA-256)"
          hint="Optional. If you enter it, Talaria checks the file against it."
          error={isSha ? undefined : 'A checksum has 64 digits and letters from a to f.'}
          dir="ltr"
          maxLength={80}
          value={sha256}
          onChange={event => setSha(event.target.value)}
        />
        <button
          type="submit"
          className="btn btn-secondary justify-self-start"
          disabled={!isAddress || !isSha || busy || locked}
        >
          Download
        </button>
      </form>
    </section>
  )
}

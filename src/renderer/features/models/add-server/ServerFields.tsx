import { type ReactNode, useEffect, useId, useRef } from 'react'
import { SERVER_CONTEXT, START_TIMEOUT_S, type Model } from '../../../../shared/contract/models/model.ts'
import { useHost } from '../../../rpc/host-context.tsx'
import { Segmented } from '../../../ui/fields/Choice.tsx'
import { rangeText } from '../../../ui/fields/NumberField.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { formatDuration } from '../../../ui/text/format-values.ts'
import { other, presets, readAddress } from './server-addresses.ts'
import { ServerModels } from './ServerModels.tsx'
import { useServerForm, type ServerForm } from './use-server-form.ts'
import { Problem } from '../../../ui/Banner.tsx'

const passesOn = (name: string) => `${name} passes what you write on to the companies that run its models.`

const KINDS = { openai: 'OpenAI-compatible', anthropic: 'Anthropic' } as const

const ADDRESS_PROBLEMS = {
  scheme: 'An address starts with http:// or https://.',
  secrets: 'Do not put a name and password in the address. Enter the key in its own field.',
  unreadable: 'This is not a valid address.',
} as const

type Props = {
  /** The server model to edit. Default: a new one. */
  known?: Model
  onDone: (model: Model) => void
}

/** The form that adds a server and one of its models, or edits them. */
export function ServerFields({ known, onDone }: Props): ReactNode {
  const form = useServerForm(known, onDone)
  const { preset, address, model, setModel, answer, busy, problem } = form
  const says = known ? ['Save', 'Saving…'] : ['Add', 'Adding…']
  const models = answer?.ok ? answer.value.models : []
  return (
    <form
      className="grid grid-cols-[minmax(0,1fr)] gap-3.5"
      onSubmit={event => {
        event.preventDefault()
        if (!busy && form.ready) void form.submit()
      }}
    >
      {!known && <PresetChoice value={preset.id} onChange={form.usePreset} />}
      <TextField
        label="Address"
        placeholder="http://127.0.0.1:8080/v1"
        hint={
          preset === other
            ? 'Most servers speak the OpenAI protocol. Find the address in the server’s documentation.'
            : `Where ${preset.name} usually is. Change it if yours is elsewhere.`
        }
        error={address.kind === 'wrong' ? ADDRESS_PROBLEMS[address.why] : undefined}
        inputMode="url"
        dir="ltr"
        maxLength={2_000}
        value={form.baseUrl}
        onChange={event => form.setBaseUrl(event.target.value)}
      />
      {/* A preset server at its default address needs no protocol choice. */}
      {form.baseUrl !== preset.baseUrl || preset === other ? (
        <Segmented
          label="Kind of server"
          showLabel
          options={(['openai', 'anthropic'] as const).map(value => ({ value, label: KINDS[value] }))}
          value={form.protocol}
          onChange={form.setProtocol}
        />
      ) : null}
      <KeyField form={form} known={known} />
      <WhatLeaves form={form} />
      <ServerTest form={form} />
      {models.length > 0 && <ServerModels models={models} chosen={model.trim()} onChoose={setModel} />}
      <TextField
        label="Model"
        placeholder="The name the server uses"
        {...(models.length === 0 && { hint: 'Test the server to choose from its list, or type a name.' })}
        dir="ltr"
        maxLength={200}
        value={model}
        onChange={event => setModel(event.target.value)}
      />
      <TextField
        label="Name"
        placeholder="Its name in Talaria"
        maxLength={60}
        value={form.name}
        onChange={event => form.setName(event.target.value)}
      />
      {known && <WindowField form={form} />}
      {known && <WaitField form={form} />}
      <Problem text={problem} />
      <div className="dialog-foot">
        <button type="submit" className="btn btn-primary px-5" disabled={busy || !form.ready}>
          {busy ? says[1] : says[0]}
        </button>
      </div>
    </form>
  )
}

/** Keys are write-only: the window never receives a saved key. */
function KeyField({ form, known }: { form: ServerForm; known: Model | undefined }) {
  const { preset, address } = form
  const server = known?.server
  const old = server && readAddress(server.baseUrl)
  const isSameHost = old?.kind === 'known' && address.kind === 'known' && old.origin === address.origin
  const isKept = server?.key === 'stored' && isSameHost
  return (
    <TextField
      label="Key"
      hint={hint()}
      type="password"
      autoComplete="new-password"
      dir="ltr"
      maxLength={1_000}
      placeholder={isKept ? 'stored, not shown' : undefined}
      value={form.apiKey}
      onChange={event => form.setApiKey(event.target.value)}
    />
  )

  function hint(): string {
    if (server?.key === 'stored')
      return isKept
        ? 'A key is stored. Leave this empty to keep using it.'
        : 'The stored key belongs to the old address and is not sent to this one. Enter a key if this server needs one.'
    if (server?.key === 'environment' && isSameHost)
      return 'The key comes from the environment. A key that you enter here replaces it.'
    if (preset.key === 'none') return `${preset.name} needs no key.`
    const wanted =
      preset.key === 'needed'
        ? `${preset.name} needs a key from your account there. That may cost money.`
        : 'Only if the server needs one.'
    return `${wanted} It is stored outside the settings file and never shown again.`
  }
}

/** The size of the context window, which few servers state. A small assumed one leaves tools out of chats. */
function WindowField({ form: { window, setWindow, isWindowWrong } }: { form: ServerForm }) {
  return (
    <TextField
      label="Context window, in tokens"
      hint="Empty: what the server states. Talaria assumes 8,192 for a server that states none."
      error={isWindowWrong ? rangeText(SERVER_CONTEXT, true) : undefined}
      inputMode="numeric"
      dir="ltr"
      maxLength={7}
      value={window}
      onChange={event => setWindow(event.target.value)}
    />
  )
}

/**
 * How long a slow server may read before it answers. Few servers need it, so the form for a new server leaves
 * it out.
 */
function WaitField({ form: { address, wait, setWait, isWaitWrong } }: { form: ServerForm }) {
  const isNear = address.kind === 'known' && address.place !== 'far'
  return (
    <TextField
      label="Maximum wait for the start of an answer, in seconds"
      hint={
        isNear
          ? 'If it is empty, Talaria waits as long as it takes. You can always press Stop.'
          : 'If it is empty, Talaria waits ten minutes. A large model on a slow computer may need longer.'
      }
      error={isWaitWrong ? rangeText(START_TIMEOUT_S, true) : undefined}
      inputMode="numeric"
      dir="ltr"
      maxLength={6}
      value={wait}
      onChange={event => setWait(event.target.value)}
    />
  )
}

/** Shows where messages will go, before anything is sent. */
function WhatLeaves({ form: { address, preset } }: { form: ServerForm }) {
  const locked = useHost(host => host.locked)
  if (address.kind !== 'known') return null
  const { place, host, encrypted } = address
  const leaves = place !== 'here'
  return (
    <div className="grid gap-1 rounded-lg bg-sunken px-3 py-2 text-xs text-ink-2">
      <p>
        {preset.passesOn && !leaves
          ? passesOn(preset.name)
          : place === 'here'
            ? 'It runs on this computer: what you write in chats with it stays here.'
            : place === 'near'
              ? `What you write in chats with it is sent to ${host}, in your own network.`
              : `What you write in chats with it leaves this computer and is sent to ${host}.`}{' '}
        {preset.passesOn && leaves && passesOn(preset.name)}
      </p>
      {place === 'far' && !encrypted && (
        <p className="text-warn">The address starts with http://, so others can read what is sent.</p>
      )}
      {locked && leaves && (
        <p className="text-warn">
          The offline lock is on: you can add this server, but nothing is sent to it until you turn the lock
          off.
        </p>
      )}
    </div>
  )
}

const shown = [...presets.map(({ id, name }) => ({ id, name })), { id: other.id, name: 'Another server' }]

type PresetChoiceProps = { value: string; onChange: (id: string) => void }

/** Presets for common servers. Choosing one fills in the form. */
function PresetChoice({ value, onChange }: PresetChoiceProps): ReactNode {
  const name = useId()
  return (
    <fieldset>
      <legend className="mb-1 text-xs font-medium text-ink-2">Which server</legend>
      <div className="flex flex-wrap gap-1.5">
        {shown.map(each => (
          <label
            key={each.id}
            className="inline-flex min-h-7 cursor-pointer items-center rounded-full border border-line px-3 text-sm text-ink-2 hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={each.id === value}
              onChange={() => onChange(each.id)}
            />
            {each.name}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** How many ms a test must take for its duration to be shown. */
const SLOW_MS = 1_000

/** Tests the connection to the server and shows the result. */
function ServerTest({ form }: { form: ServerForm }): ReactNode {
  const { address, answer, testing, test } = form
  const told = useRef<HTMLOutputElement>(null)
  // Scroll the result into view, because the dialog may be longer than the window.
  useEffect(() => {
    if (answer) told.current?.scrollIntoView({ block: 'nearest' })
  }, [answer])
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
        {!answer && (
          <p className="text-xs text-ink-3">Asks the server for its models. Only the key is sent.</p>
        )}
      </div>
      <output ref={told} className="grid gap-0.5 text-sm">
        {answer && <Answer answer={answer} />}
      </output>
    </div>
  )
}

function Answer({ answer }: { answer: NonNullable<ServerForm['answer']> }) {
  if (!answer.ok) return <p className="text-danger">{answer.fault.message}</p>
  const { ok, text: says, fix, ms } = answer.value
  return (
    <>
      <p className={ok ? 'text-good' : 'text-danger'}>
        {says}
        {ms >= SLOW_MS && <span className="text-xs text-ink-3">{` It took ${formatDuration(ms)}.`}</span>}
      </p>
      {fix !== '' && <p className="text-ink-2">{fix}</p>}
    </>
  )
}

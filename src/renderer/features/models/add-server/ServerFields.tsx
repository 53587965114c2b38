import type { ReactNode } from 'react'
import type { Model } from '../../../../shared/contract/model.ts'
import { useHost } from '../../../rpc/host-context.tsx'
import { Segmented } from '../../../ui/Segmented.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { other } from './presets.ts'
import { PresetChoice } from './PresetChoice.tsx'
import { ServerModels } from './ServerModels.tsx'
import { ServerTest } from './ServerTest.tsx'
import { serverText as text } from './strings.ts'
import { useServerForm, type ServerForm } from './use-server-form.ts'
import { readAddress } from './where-is.ts'

type Props = {
  /** The model on a server that is changed; without it, a new one. */
  known?: Model
  onDone: (model: Model) => void
}

/** Name a server and one of its models, or change what was said of them. */
export function ServerFields({ known, onDone }: Props): ReactNode {
  const form = useServerForm(known, onDone)
  const { preset, address, model, setModel, answer, busy, problem } = form
  const says = known ? [text.save, text.saving] : [text.submit, text.adding]
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
        label={text.address}
        placeholder={text.addressPlaceholder}
        hint={preset === other ? text.addressHint : text.presetHint(preset.name)}
        error={address.kind === 'wrong' ? text.wrong[address.why] : undefined}
        inputMode="url"
        dir="ltr"
        maxLength={2_000}
        value={form.baseUrl}
        onChange={event => form.setBaseUrl(event.target.value)}
      />
      {/* A known server at its usual address leaves nothing to choose. */}
      {form.baseUrl !== preset.baseUrl || preset === other ? (
        <Segmented
          label={text.kind}
          showLabel
          options={(['openai', 'anthropic'] as const).map(value => ({ value, label: text.kinds[value] }))}
          value={form.protocol}
          onChange={form.setProtocol}
        />
      ) : null}
      <KeyField form={form} known={known} />
      <WhatLeaves form={form} />
      <ServerTest form={form} />
      {models.length > 0 && <ServerModels models={models} chosen={model.trim()} onChoose={setModel} />}
      <TextField
        label={text.model}
        placeholder={text.modelPlaceholder}
        {...(models.length === 0 && { hint: text.modelHint })}
        dir="ltr"
        maxLength={200}
        value={model}
        onChange={event => setModel(event.target.value)}
      />
      <TextField
        label={text.name}
        placeholder={text.namePlaceholder}
        maxLength={60}
        value={form.name}
        onChange={event => form.setName(event.target.value)}
      />
      {problem !== undefined && (
        <p role="alert" className="text-sm text-danger">
          {problem}
        </p>
      )}
      <button type="submit" className="btn btn-primary justify-self-end px-5" disabled={busy || !form.ready}>
        {busy ? says[1] : says[0]}
      </button>
    </form>
  )
}

/** A key goes in and never comes out again: what is kept is not even known here. */
function KeyField({ form, known }: { form: ServerForm; known: Model | undefined }) {
  const { preset, address } = form
  const server = known?.server
  const old = server && readAddress(server.baseUrl)
  const isSameHost = old?.kind === 'known' && address.kind === 'known' && old.origin === address.origin
  const isKept = server?.key === 'stored' && isSameHost
  return (
    <TextField
      label={text.key}
      hint={hint()}
      type="password"
      autoComplete="new-password"
      dir="ltr"
      maxLength={1_000}
      placeholder={isKept ? text.keyStoredPlaceholder : undefined}
      value={form.apiKey}
      onChange={event => form.setApiKey(event.target.value)}
    />
  )

  function hint(): string {
    if (server?.key === 'stored') return isKept ? text.keyStored : text.keyMoved
    if (server?.key === 'environment' && isSameHost) return text.keyEnvironment
    if (preset.key === 'none') return text.keys.none(preset.name)
    const wanted = preset.key === 'needed' ? text.keys.needed(preset.name) : text.keys.maybe
    return `${wanted} ${text.keyKept}`
  }
}

/** Where words go, said before anything is sent. */
function WhatLeaves({ form: { address, preset } }: { form: ServerForm }) {
  const locked = useHost(host => host.locked)
  if (address.kind !== 'known') return null
  const { place, host, encrypted } = address
  const leaves = place !== 'here'
  return (
    <div className="grid gap-1 rounded-lg bg-sunken px-3 py-2 text-xs text-ink-2">
      <p>
        {preset.passesOn && !leaves
          ? text.places.passesOn(preset.name)
          : place === 'here'
            ? text.places.here
            : text.places[place](host)}{' '}
        {preset.passesOn && leaves && text.places.passesOn(preset.name)}
      </p>
      {place === 'far' && !encrypted && <p className="text-warn">{text.places.unencrypted}</p>}
      {locked && leaves && <p className="text-warn">{text.locked}</p>}
    </div>
  )
}

import { useEffect, useRef, useState } from 'react'
import type { Model, ModelServer, ServerCheck } from '../../../../shared/contract/model.ts'
import { attempt, type Outcome } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { other, presetAt, presetOf, type Preset } from './presets.ts'
import { readAddress, type Address } from './where-is.ts'

/** The longest name that a model may have in Talaria. */
const LONGEST_NAME = 60

/** A server as it stands in the form; what was asked of it last, and what it said. */
export type ServerForm = {
  preset: Preset
  usePreset: (id: string) => void
  protocol: ModelServer['protocol']
  setProtocol: (protocol: ModelServer['protocol']) => void
  baseUrl: string
  setBaseUrl: (baseUrl: string) => void
  address: Address
  apiKey: string
  setApiKey: (apiKey: string) => void
  model: string
  setModel: (model: string) => void
  /** What the person calls it; made from the model until they have said so. */
  name: string
  setName: (name: string) => void
  answer: Outcome<ServerCheck> | undefined
  testing: boolean
  test: () => Promise<void>
  busy: boolean
  problem: string | undefined
  /** Whether there is enough to keep it. */
  ready: boolean
  submit: () => Promise<void>
}

/** The form of a new server, or of `known`, which is changed. `onDone` gets the model as it is kept. */
export function useServerForm(known: Model | undefined, onDone: (model: Model) => void): ServerForm {
  const { client } = useLink()
  const server = known?.server
  const [preset, setPreset] = useState<Preset>(server ? presetAt(server.baseUrl) : other)
  const [fields, setFields] = useState({
    protocol: server?.protocol ?? 'openai',
    baseUrl: server?.baseUrl ?? '',
    apiKey: '',
    model: server?.model ?? '',
  })
  const [named, setNamed] = useState(known?.name)
  const [answer, setAnswer] = useState<Outcome<ServerCheck>>()
  const [testing, setTesting] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const asking = useRef<AbortController>(undefined)
  useEffect(() => () => asking.current?.abort(), [])

  const { protocol, baseUrl, apiKey, model } = fields
  const address = readAddress(baseUrl)
  const name = named ?? nameFor(model)
  const id = known && { id: known.id }

  function set(change: Partial<typeof fields>) {
    setFields(before => ({ ...before, ...change }))
    setProblem(undefined)
  }
  /** Of a server that is asked in another way, an answer says nothing. */
  function setServer(change: Partial<typeof fields>) {
    asking.current?.abort()
    setTesting(false)
    setAnswer(undefined)
    set(change)
  }

  return {
    preset,
    usePreset(chosen) {
      const next = presetOf(chosen)
      setPreset(next)
      // A key that was typed for one server must not reach the next one, nor does that have its models.
      setServer({ protocol: next.protocol, baseUrl: next.baseUrl, apiKey: '', model: '' })
    },
    ...fields,
    setProtocol: protocol => setServer({ protocol }),
    setBaseUrl: baseUrl => setServer({ baseUrl }),
    setApiKey: apiKey => setServer({ apiKey }),
    setModel: model => set({ model }),
    address,
    name,
    setName(name) {
      setNamed(name)
      setProblem(undefined)
    },
    answer,
    testing,
    async test() {
      asking.current?.abort()
      const turn = new AbortController()
      asking.current = turn
      setAnswer(undefined)
      setTesting(true)
      const asked = { ...id, protocol, baseUrl: baseUrl.trim(), apiKey, model: '' }
      const answer = await attempt(client['model.tryServer'](asked, { signal: turn.signal }))
      if (turn.signal.aborted) return
      setTesting(false)
      setAnswer(answer)
      const only = answer.ok && answer.value.models.length === 1 ? answer.value.models[0] : undefined
      // Nothing is left to choose.
      if (only) setFields(before => (before.model.trim() === '' ? { ...before, model: only.id } : before))
    },
    busy,
    problem,
    ready: address.kind === 'known' && model.trim() !== '' && name.trim() !== '',
    async submit() {
      setBusy(true)
      setProblem(undefined)
      const kept = {
        ...id,
        protocol,
        baseUrl: baseUrl.trim(),
        apiKey,
        model: model.trim(),
        name: name.trim(),
      }
      const added = await attempt(client['model.addServer'](kept))
      setBusy(false)
      if (added.ok) onDone(added.value)
      else setProblem(added.fault.message)
    },
  }
}

/** `meta-llama/llama-3.3-70b` is called by its last part. */
const nameFor = (model: string): string =>
  (
    model
      .trim()
      .split('/')
      .findLast(part => part !== '') ?? ''
  ).slice(0, LONGEST_NAME)

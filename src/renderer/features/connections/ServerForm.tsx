import { useId, useState, type ReactNode } from 'react'
import type { McpServer } from '../../../shared/contract/connections/mcp.ts'
import { Switch } from '../../ui/fields/Choice.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { serverOf, type FieldProblem, type ServerFields } from './server-fields.ts'

type Props = {
  fields: ServerFields
  /** The server being edited; undefined for a new one. */
  known?: McpServer | undefined
  onFields: (fields: ServerFields) => void
  /** Called with the server that the fields describe. */
  onRead: (server: McpServer) => void
}

/** The form for a program or an address. Nothing runs until its command has been shown. */
export function ServerForm({ fields, known, onFields, onRead }: Props): ReactNode {
  const [problem, setProblem] = useState<FieldProblem>()
  const isProgram = fields.kind === 'program'
  const set = (given: Partial<ServerFields>) => {
    setProblem(undefined)
    onFields({ ...fields, ...given })
  }
  const field = (name: FieldProblem['field'] & keyof ServerFields) => ({
    value: fields[name],
    error: problem?.field === name ? problem.text : undefined,
    onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value }),
  })
  return (
    <form
      className="grid grid-cols-[minmax(0,1fr)] gap-3.5"
      onSubmit={event => {
        event.preventDefault()
        const read = serverOf(fields, known)
        if ('field' in read) setProblem(read)
        else onRead(read)
      }}
    >
      <TextField
        label="Name"
        placeholder="files"
        hint="Lowercase letters, digits, - and _. The names of its tools start with it."
        maxLength={32}
        dir="ltr"
        {...field('name')}
      />
      {isProgram ? (
        <TextField
          label="Command"
          placeholder="npx -y @modelcontextprotocol/server-filesystem@2026.8.31 /home/me/notes"
          hint="The program and its arguments, as in a terminal. Put quotes around anything with spaces."
          maxLength={8_000}
          dir="ltr"
          className="field font-mono text-xs"
          {...field('command')}
        />
      ) : (
        <TextField
          label="Address"
          placeholder="https://example.com/mcp"
          inputMode="url"
          maxLength={2_000}
          dir="ltr"
          {...field('url')}
        />
      )}
      <Values
        label={isProgram ? 'Variables' : 'Headers'}
        example={isProgram ? 'API_KEY=…' : 'Authorization: Bearer …'}
        {...field('values')}
      />
      {isProgram && (
        <>
          <TextField
            label="Folder it may write to"
            placeholder="A folder of its own"
            hint="A full path. Leave it empty unless the server has to change your files."
            maxLength={4_000}
            dir="ltr"
            {...field('folder')}
          />
          <NetworkSwitch server={fields} onChange={network => set({ network })} />
        </>
      )}
      <TextField
        label="What it is for"
        placeholder="Notes of the garden club"
        hint="One line for the model. If it is empty, the model sees the names of the tools instead."
        maxLength={120}
        value={fields.description}
        onChange={event => set({ description: event.target.value })}
      />
      <button type="submit" className="btn btn-primary justify-self-end">
        Show what it runs
      </button>
    </form>
  )
}

type NetworkProps = { server: { network: boolean }; onChange: (network: boolean) => void }

/** The switch that lets a confined program use the network. */
export const NetworkSwitch = ({ server, onChange }: NetworkProps): ReactNode => (
  <Switch
    label="May use the network"
    hint="Needed by npx and uvx, which download the program, and by servers that use an online service."
    on={server.network}
    onChange={onChange}
  />
)

type ValuesProps = {
  label: string
  example: string
  value: string
  error: string | undefined
  onChange: (event: { target: { value: string } }) => void
}

function Values({ label, example, value, error, onChange }: ValuesProps) {
  const id = useId()
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-xs font-medium text-ink-2">
        {label}
      </label>
      <textarea
        id={id}
        dir="ltr"
        rows={2}
        spellCheck={false}
        autoComplete="off"
        placeholder={example}
        maxLength={20_000}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-about`}
        className="field font-mono text-xs"
        value={value}
        onChange={onChange}
      />
      <p
        id={`${id}-about`}
        role={error === undefined ? undefined : 'alert'}
        className={error === undefined ? 'text-xs text-ink-3' : 'text-xs text-danger'}
      >
        {error ?? 'One per line. Keys go to the vault and are never shown again.'}
      </p>
    </div>
  )
}

import { useState, type ReactNode } from 'react'
import { OBEYED_FILES, type RuleEffect } from '../../../../shared/contract/runs/permissions.ts'
import { attemptCall } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { Segmented, Select, Switch } from '../../../ui/fields/Choice.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { Problem } from '../../../ui/Banner.tsx'

const effects = [
  { value: 'never', label: 'Never' },
  { value: 'ask', label: 'Always ask' },
  { value: 'allow', label: 'Always allow' },
] as const satisfies readonly { value: RuleEffect; label: string }[]

const tools = [
  { value: 'terminal', label: 'A command' },
  { value: 'write', label: 'Changing files' },
  { value: 'read', label: 'Reading files' },
  { value: OBEYED_FILES, label: 'Files that programs obey' },
  { value: '*', label: 'Everything' },
] as const

const hints = {
  never: 'Also applies with more words and flags, after sudo, and inside other commands.',
  ask: 'Also applies with more words and flags, after sudo, and inside other commands.',
  allow: 'Applies to exactly these words. A * at the end matches more words that are not flags.',
}

/** Adds a rule. If the input is not a valid rule, the form says why. */
export function RuleForm({ onClose }: { onClose: () => void }): ReactNode {
  const { client } = useLink()
  const [effect, setEffect] = useState<RuleEffect>('ask')
  const [tool, setTool] = useState<(typeof tools)[number]['value']>('terminal')
  const [command, setCommand] = useState('')
  const [folder, setFolder] = useState('')
  const [network, setNetwork] = useState(false)
  const [unconfined, setUnconfined] = useState(false)
  const [problem, setProblem] = useState<string>()
  const isCommand = tool === 'terminal'
  const add = async () => {
    const answer = await attemptCall(
      client['permissions.add']({
        effect,
        tool,
        ...(isCommand && { command }),
        folder: folder.trim(),
        network: effect === 'allow' && network,
        unconfined: effect === 'allow' && unconfined,
      }),
    )
    if (answer.ok) onClose()
    else setProblem(answer.fault.message)
  }
  return (
    <form
      aria-label="Add a rule"
      className="grid gap-3 rounded-xl border border-line p-4"
      onSubmit={event => {
        event.preventDefault()
        void add()
      }}
    >
      <div className="justify-self-start whitespace-nowrap">
        <Segmented label="What the rule does" options={effects} value={effect} onChange={setEffect} />
      </div>
      <Select label="About" showLabel options={tools} value={tool} onChange={setTool} />
      {isCommand && (
        <TextField
          label="Command"
          placeholder="npm test"
          dir="ltr"
          className="field font-mono"
          hint={hints[effect]}
          value={command}
          onChange={event => setCommand(event.target.value)}
        />
      )}
      {tool === OBEYED_FILES && (
        <p className="text-sm text-ink-2">
          Such as .vscode, AGENTS.md and git hooks, which editors, agents and git follow without asking you.
          {effect === 'allow' &&
            ' Commands that run in the folder without asking may then change these files. The rule alone does not let anything run.'}
        </p>
      )}
      <TextField
        label="Folder"
        placeholder="~/code/site"
        dir="ltr"
        className="field font-mono"
        hint="The rule applies to this folder and everything in it. Empty means everywhere."
        value={folder}
        onChange={event => setFolder(event.target.value)}
      />
      {effect === 'allow' && isCommand && (
        <>
          <Switch
            label="With network"
            hint="The command can reach other computers, and servers on this one."
            on={network}
            onChange={setNetwork}
          />
          <Switch
            label="Also where commands are not confined"
            hint="There it can read and change everything that you can."
            on={unconfined}
            onChange={setUnconfined}
          />
        </>
      )}
      <Problem text={problem} />
      <div className="flex flex-wrap gap-2">
        <button type="submit" className="btn btn-primary">
          Add the rule
        </button>
        <button type="button" className="btn btn-quiet" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  )
}

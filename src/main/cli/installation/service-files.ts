import { join } from 'node:path'

/** The command that starts the server: a program with its arguments. */
export type Launch = { program: string; args: readonly string[] }

/** A file that lets the system start the server at login, and what to do with it. */
export type ServiceFile = { path: string; content: string; enable: string; disable: string }

type Place = { platform: NodeJS.Platform; userHome: string; configFolder: string; user: string }

/**
 * Build the file for the service manager of a system: a user unit of systemd, a launch agent, or a task of
 * the Task Scheduler.
 */
export function serviceFile(launch: Launch, { platform, userHome, configFolder, user }: Place): ServiceFile {
  if (platform === 'darwin') {
    const path = join(userHome, 'Library/LaunchAgents/app.talaria.serve.plist')
    return {
      path,
      content: launchAgent(launch),
      enable: `launchctl load -w ${inShell(path)}`,
      disable: `launchctl unload -w ${inShell(path)}`,
    }
  }
  if (platform === 'win32') {
    const path = join(userHome, 'AppData\\Roaming\\Talaria\\talaria-serve.xml')
    return {
      path,
      content: scheduledTask(launch, user),
      enable: `schtasks /Create /TN "Talaria" /XML "${path}"`,
      disable: 'schtasks /Delete /TN "Talaria"',
    }
  }
  return {
    path: join(configFolder, 'systemd/user/talaria.service'),
    content: systemdUnit(launch),
    enable: 'systemctl --user enable --now talaria.service',
    disable: 'systemctl --user disable --now talaria.service',
  }
}

const systemdUnit = ({ program, args }: Launch): string => `[Unit]
Description=Talaria: chats, schedules and messengers without a window

[Service]
ExecStart=${[program, ...args].map(inUnit).join(' ')}
Restart=on-failure
RestartSec=30

[Install]
WantedBy=default.target
`

/** Quote an argument for ExecStart, where backslash, percent and dollar have special meanings. */
const inUnit = (argument: string): string =>
  `"${argument.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`

const launchAgent = ({ program, args }: Launch): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>app.talaria.serve</string>
  <key>ProgramArguments</key>
  <array>
${[program, ...args].map(each => `    <string>${inXml(each)}</string>`).join('\n')}
  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ProcessType</key>
  <string>Background</string>
</dict>
</plist>
`

const scheduledTask = (
  { program, args }: Launch,
  user: string,
): string => `<?xml version="1.0" encoding="UTF-8"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>Talaria: chats, schedules and messengers without a window</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger>
      <Enabled>true</Enabled>
      <UserId>${inXml(user)}</UserId>
    </LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>${inXml(user)}</UserId>
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>3</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${inXml(program)}</Command>
      <Arguments>${inXml(args.map(inWindows).join(' '))}</Arguments>
    </Exec>
  </Actions>
</Task>
`

const inXml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    // oxlint-disable-next-line no-control-regex -- no XML may hold them
    .replaceAll(/[\0-\u0008\u000B\u000C\u000E-\u001F]/g, '')

/** Quote an argument for the C runtime of Windows. */
const inWindows = (argument: string): string =>
  /^[\w:\\./-]+$/.test(argument)
    ? argument
    : `"${argument.replaceAll(/(?<!\\)(\\*)"/g, '$1$1\\"').replace(/(?<!\\)(\\+)$/, '$1$1')}"`

const inShell = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`

import type { AppEvent } from '../../../shared/contract/app.ts'
import type { HostHandlers } from '../../../shared/contract/index.ts'
import { Fault } from '../../../shared/rpc.ts'
import { describedSettings, isSetting, settingOf, settingsOf } from '../../config/describe.ts'
import type { ConfigHandle } from '../../config/load.ts'
import type { ConfigPath } from '../../config/schema.ts'

type Parts = {
  config: ConfigHandle
  /** Told of each setting that was written, so that whoever works with it hears of it. */
  onSetting: (path: ConfigPath) => void
  publish: (event: AppEvent) => void
}

/** The settings as data, and the first run. */
export function settingsHandlers({ config, onSetting, publish }: Parts) {
  function write(path: ConfigPath, value: unknown): void {
    // The schema itself is asked whether the value is allowed.
    config.set(path, value as never)
    onSetting(path)
  }
  const setup = (done: boolean) => {
    write('ui.setup_done', done)
    publish({ type: 'setup', done })
  }
  return {
    'settings.list'() {
      // Whoever looks wants to see what the file says, also when it was edited by hand.
      for (const path of config.reload()) onSetting(path)
      return { file: config.path, settings: settingsOf(config.current), problems: [...config.problems()] }
    },
    'settings.set'({ path, value }) {
      if (!isSetting(path)) throw new Fault('not_found', `There is no setting “${path}”.`)
      write(path, value)
      return settingOf(path, config.current)
    },
    'settings.reset'({ path }) {
      const paths = describedSettings
        .filter(each => each.path === path || each.section === path)
        // What has a page of its own is not swept away with its section.
        .filter(each => each.path === path || each.kind.type !== 'other')
        .map(each => each.path)
      if (paths.length === 0) throw new Fault('not_found', `There is no setting “${path}”.`)
      for (const each of paths) if (isSetting(each)) write(each, undefined)
      return {}
    },
    'setup.finish'() {
      try {
        setup(true)
      } catch (error) {
        // A file with a mistake is never written. `app.watch` shows no first run then, so nobody is kept in it here.
        if (!(error instanceof Fault && error.code === 'not_ready')) throw error
        publish({ type: 'setup', done: true })
      }
      return {}
    },
    'setup.again'() {
      setup(false)
      return {}
    },
  } satisfies Partial<HostHandlers>
}

import { powerMonitor } from 'electron'
import { isOnMains as isOnMainsByLinux } from '../../lib/display-and-power.ts'

/** Whether this computer runs on mains power. Call it after `ready`. On Linux, /sys knows batteries that Chromium does not. */
export const isOnMains = (): boolean | undefined =>
  process.platform === 'linux' ? isOnMainsByLinux() : !powerMonitor.isOnBatteryPower()

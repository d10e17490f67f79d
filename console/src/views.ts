import type { ComponentType } from 'preact'
import type { IconName } from './parts/icon.tsx'
import { Behaviours } from './views/behaviours.tsx'
import { Collections } from './views/collections.tsx'
import { Coverage } from './views/coverage.tsx'
import { Faults } from './views/faults.tsx'
import { History } from './views/history.tsx'
import { Mutations } from './views/mutations.tsx'
import { Outbox } from './views/outbox.tsx'
import { Files } from './views/files.tsx'
import { Requests } from './views/requests.tsx'
import { Sandboxes } from './views/sandboxes.tsx'
import { Schedules } from './views/schedules.tsx'
import { Streams } from './views/streams.tsx'
import { Stubs } from './views/stubs.tsx'
import { Webhooks } from './views/webhooks.tsx'

export interface View {
  /** The first part of its address: `#/requests`. */
  readonly path: string
  readonly title: string
  readonly icon: IconName
  /** What it is listed under. */
  readonly group: 'Traffic' | 'Data' | 'Service' | 'State'
  readonly component: ComponentType
  /** What the contract must be about; absent for views of every contract. */
  readonly of?: 'files' | 'schedules' | 'collections' | 'webhooks' | 'streams'
}

/** The views in the order of the navigation. The first is shown at first. */
export const VIEWS: readonly View[] = [
  { path: 'requests', icon: 'requests', title: 'Requests', component: Requests, group: 'Traffic' },
  { path: 'coverage', icon: 'coverage', title: 'Coverage', component: Coverage, group: 'Traffic' },
  { path: 'mutations', icon: 'mutations', title: 'Mutations', component: Mutations, group: 'Traffic' },
  { path: 'webhooks', icon: 'arrow', title: 'Webhooks', component: Webhooks, group: 'Traffic', of: 'webhooks' },
  { path: 'streams', icon: 'arrow', title: 'Streams', component: Streams, group: 'Traffic', of: 'streams' },
  {
    path: 'collections',
    icon: 'collections',
    title: 'Collections',
    component: Collections,
    group: 'Data',
    of: 'collections',
  },
  { path: 'files', icon: 'files', title: 'Files', component: Files, group: 'Data', of: 'files' },
  { path: 'schedules', icon: 'schedules', title: 'Schedules', component: Schedules, group: 'Data', of: 'schedules' },
  { path: 'outbox', icon: 'outbox', title: 'Outbox', component: Outbox, group: 'Data', of: 'schedules' },
  { path: 'faults', icon: 'faults', title: 'Faults', component: Faults, group: 'Service' },
  { path: 'stubs', icon: 'stubs', title: 'Stubs', component: Stubs, group: 'Service' },
  { path: 'behaviours', icon: 'behaviours', title: 'Behaviours', component: Behaviours, group: 'Service' },
  { path: 'sandboxes', icon: 'sandboxes', title: 'Sandboxes', component: Sandboxes, group: 'State' },
  { path: 'history', icon: 'history', title: 'History', component: History, group: 'State' },
]

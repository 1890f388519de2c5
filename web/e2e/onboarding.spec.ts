import { expect, test } from './equity';

const sentence =
  'Analytical Engines Inc., a Delaware corporation, founded by Ada Lovelace and Charles Babbage, 60/40, with a 10% option pool';

test('CompanyIsBuiltFromOneSentence', async ({ owner, server }) => {
  await owner.goto(`${server.url}/start`);
  await owner.getByLabel('Describe the company').fill(sentence);
  await owner.getByRole('button', { name: 'Plan the company' }).click();
  await expect(owner.getByRole('button', { name: /^Build/ })).toBeDisabled();
  await owner.getByRole('combobox', { name: 'Which of these people are you?' }).click();
  await owner.getByRole('option', { name: 'Ada Lovelace' }).click();
  await owner.getByRole('button', { name: /Charles Babbage, founder/ }).click();
  await owner.getByRole('button', { name: 'Add a record' }).click();
  await owner.getByRole('menuitem', { name: 'Person' }).click();
  const added = owner.getByRole('form', { name: 'New person' });
  await added.getByLabel('Full name').fill('Mary Shelley');
  await added.getByRole('button', { name: 'Add the person' }).click();
  await owner.getByRole('button', { name: /for Charles Babbage/ }).click();
  const holding = owner.getByRole('group', { name: /for (Charles Babbage|Mary Shelley)/ }); // renamed when its holder is stored
  await expect(holding.getByLabel('Class')).toContainText('Common Stock');
  await holding.getByLabel('Holder').click();
  await owner.getByRole('option', { name: 'Mary Shelley' }).click();
  await holding.getByLabel('Shares').fill('3,500,000');
  await owner.getByRole('button', { name: 'Build 8 records' }).click();
  await expect(owner).toHaveURL(/captable/);
  const holders = owner.getByRole('grid', { name: 'Holders' });
  await expect(holders.getByRole('row', { name: /5,400,000/ })).toBeVisible();
  await expect(holders.getByRole('row', { name: /Mary Shelley.*3,500,000/ })).toBeVisible();
});

test('CompanyIsCreatedWithoutAPlan', async ({ owner, server }) => {
  await owner.goto(`${server.url}/start`);
  await owner.getByLabel('Name').fill('Quiet Company');
  await owner.getByRole('button', { name: 'Create an empty company' }).click();
  await expect(owner.getByRole('button', { name: 'Companies' })).toContainText('Quiet Company');
  await expect(owner.getByText('No holders yet')).toBeVisible();
});

test.describe('answers in another locale', () => {
  test.use({ locale: 'de-DE' });
  test('AnswerIsReadInTheFormOfTheReader', async ({ owner, server }) => {
    await owner.goto(`${server.url}/start`);
    await expect(owner.getByText(/Write figures in English notation, such as 1,234,567\.5\./)).toBeVisible();
    await owner
      .getByLabel('Describe the company')
      .fill('Analytical Engines Inc. has 100 authorized shares of Common Stock. Ada Lovelace holds 200 shares.');
    await owner.getByRole('button', { name: 'Plan the company' }).click();
    const question = owner.getByRole('textbox', { name: /are authorized/ });
    await question.fill('1.234.567');
    await question.press('Enter');
    await expect(owner.getByRole('region', { name: 'Records to create' })).toBeVisible();
    await expect(question).toHaveValue('1.234.567');
    await expect(owner.getByText('Authorized', { exact: true }).locator('..')).toContainText('1.234.567');
  });
});

import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Refusal } from '~/account/Refusal';
import { TextField } from '~/account/TextField';
import { client, type Schema } from '~/api/client';
import { readProblem } from '~/api/problem';
import { useUser } from '~/shell/user';
import { Button } from '~/ui/Button';
import { Failure } from '~/ui/Notice';
import { Part } from '~/ui/Part';
import { Unsaved } from '~/ui/Unsaved';
import { useAction } from './useAction';

type Profile = Schema<'Profile'>;

/** The profile of the user. */
export function ProfileTab() {
  const { entity } = useUser();
  const profile = useQuery({
    queryKey: ['get', '/profile/{profile}', entity],
    queryFn: async () =>
      (await client.GET('/profile/{profile}', { params: { path: { profile: entity } } })).data as Profile,
    retry: false,
  });
  if (profile.isError) return <Failure what="The profile" error={profile.error} retry={profile.refetch} />;
  if (!profile.data) return <div className="skeleton h-64" />;
  return <Form key={profile.data.version} profile={profile.data} />;
}

function Form({ profile }: { profile: Profile }) {
  const [fullName, setFullName] = useState(profile.fullName ?? '');
  const [phone, setPhone] = useState(profile.phone ?? '');
  const [website, setWebsite] = useState(profile.website ?? '');
  const [born, setBorn] = useState(profile.dateOfBirth ?? '');
  const save = useAction(
    () =>
      client.PATCH('/profile/{profile}', {
        params: { path: { profile: profile.id } },
        body: { fullName, phone: phone || null, website: website || null, dateOfBirth: born || null },
      }),
    'Profile saved',
  );
  const photo = useAction(async (file: File) => {
    const body = new FormData();
    body.append('file', file);
    const response = await fetch(`/v1/profile/${profile.id}/file?photo=true`, { method: 'POST', body });
    if (!response.ok) throw await readProblem(response);
  }, 'Photo saved');
  const changed =
    fullName !== (profile.fullName ?? '') ||
    phone !== (profile.phone ?? '') ||
    website !== (profile.website ?? '') ||
    born !== (profile.dateOfBirth ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <>
      <Part title="Photo" help="A PNG, JPEG or WebP picture of you.">
        <div className="flex items-center gap-4">
          {profile.photo ? (
            <img
              src={`/v1/file/${profile.photo}/content`}
              alt=""
              className="size-16 rounded-full border border-line object-cover"
            />
          ) : (
            <span aria-hidden className="grid size-16 place-items-center rounded-full bg-active text-lg font-medium">
              {fullName.charAt(0)}
            </span>
          )}
          <label className="btn btn-outline cursor-default print:hidden">
            {profile.photo ? 'Choose another photo' : 'Choose a photo'}
            <input
              type="file"
              accept="image/png,image/jpeg,image/webp"
              className="sr-only"
              onChange={(event) => event.target.files?.[0] && photo.mutate(event.target.files[0])}
            />
          </label>
        </div>
        <Refusal problem={photo.problem} />
      </Part>
      <Part title="About you" help="Your companies know you by this name. The other fields are optional.">
        <form onSubmit={submit} className="grid gap-4 min-[600px]:grid-cols-2">
          <Unsaved changed={() => changed} />
          <TextField
            label="Name"
            name="fullName"
            autoComplete="name"
            problem={save.problem}
            value={fullName}
            onChange={setFullName}
          />
          <TextField
            label="Date of birth"
            name="dateOfBirth"
            type="date"
            optional
            problem={save.problem}
            value={born}
            onChange={setBorn}
          />
          <TextField
            label="Phone"
            name="phone"
            type="tel"
            autoComplete="tel"
            optional
            problem={save.problem}
            value={phone}
            onChange={setPhone}
          />
          <TextField
            label="Website"
            name="website"
            type="url"
            autoComplete="url"
            optional
            problem={save.problem}
            value={website}
            onChange={setWebsite}
          />
          <div className="flex flex-col items-start gap-4 min-[600px]:col-span-2 print:hidden">
            <Refusal problem={save.problem} />
            <Button type="submit" look="primary" disabled={save.isPending}>
              Save the profile
            </Button>
          </div>
        </form>
      </Part>
    </>
  );
}

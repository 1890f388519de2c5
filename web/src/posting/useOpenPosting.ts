import { useNavigate, useParams } from '@tanstack/react-router';
import { useContext } from 'react';
import { useAddress } from '~/shell/address';
import { ChosenCompany } from '~/shell/company';

/** Returns a function that opens the form of a posting. A page outside the company is left for the one of the form. */
export function useOpenPosting(): (name: string, record?: string) => void {
  const [, setAddress] = useAddress();
  const navigate = useNavigate();
  const { organization } = useParams({ strict: false });
  const chosen = useContext(ChosenCompany);
  return (post, record) => {
    if (!chosen || chosen === organization) return setAddress({ post, record }, true);
    navigate({ to: `/company/${chosen}/shares`, search: { post, record } });
  };
}

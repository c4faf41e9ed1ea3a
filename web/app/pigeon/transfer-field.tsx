// Field for a callflow's transfer target: a contact and one of its phones, or none. Submitted as JSON in one
// hidden input.
import { useState } from 'react';
import { classNames } from '../ui/class-names.ts';
import { controlClass, controlProps, FieldFrame, FieldGroup } from '../ui/field/field-frame.tsx';
import { jsonInputName, memberInputName } from '../ui/field/form-data.ts';
import { useFormError } from '../ui/field/form-errors.ts';
import { ReferenceInput } from '../ui/input/reference-input.tsx';
import { useTranslation } from '../ui/translation.tsx';

const name = 'transferTo';

export function TransferField(props: { value: unknown; contacts: Record<string, { name: string }> }) {
  const { t, fieldLabel } = useTranslation();
  const known = (props.value ?? {}) as { contactId?: string; phone?: number };
  const [contactId, setContactId] = useState(known.contactId ?? '');
  const [phone, setPhone] = useState(String(known.phone ?? 1));
  const error = useFormError(name);
  const contactName = memberInputName(name, 'contactId');
  const phoneName = memberInputName(name, 'phone');
  const contact = {
    name: contactName,
    label: fieldLabel('contactId'),
    required: false,
    error: useFormError(contactName),
  };
  const index = {
    name: phoneName,
    label: fieldLabel('phone'),
    required: false,
    error: useFormError(phoneName),
  };
  const sent = contactId === '' ? null : { contactId, phone: Number(phone) || phone };
  return (
    <FieldGroup
      name={name}
      label={fieldLabel(name)}
      hint={t('pigeon.transfer-hint')}
      error={error}
      required={false}
      className="rounded-md border border-line p-3"
    >
      <input type="hidden" name={jsonInputName(name)} value={JSON.stringify(sent)} />
      <div className="grid gap-2 sm:grid-cols-[minmax(0,1fr)_9rem]">
        <FieldFrame {...contact}>
          <ReferenceInput
            control={controlProps(contact)}
            options={props.contacts}
            resource="contact"
            value={contactId}
            required={false}
            label={contact.label}
            onChange={setContactId}
          />
        </FieldFrame>
        <FieldFrame {...index}>
          <input
            {...controlProps(index)}
            type="number"
            min={1}
            value={phone}
            disabled={contactId === ''}
            onChange={(event) => setPhone(event.target.value)}
            className={classNames(controlClass, 'h-8')}
          />
        </FieldFrame>
      </div>
    </FieldGroup>
  );
}

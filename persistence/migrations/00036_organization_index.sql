-- +goose Up

-- The records and the holders of an organization, for verification and repair.
CREATE INDEX resource_of ON resource (organization);
CREATE INDEX stake_of ON stake (organization);

-- The alarms that a server has claimed. They are released when the server has ended.
CREATE INDEX alarm_leased ON alarm (leased_until) WHERE leased_until > 0;

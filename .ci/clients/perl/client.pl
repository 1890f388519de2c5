# Signs in, creates a company and reads its holders with the client that OpenAPI::Client generates from the contract. It checks each
# request and each answer against the contract.
use strict;
use warnings;
use OpenAPI::Client;

my ($contract, $server, $email, $password) = @ARGV;
my $client = OpenAPI::Client->new($contract);
$client->base_url->parse("$server/v1");

sub answer {
	my ($operation, $parameters, $status, @body) = @_;
	my $exchange = $client->call($operation => $parameters, @body);
	die "$operation: ", $exchange->res->body, "\n" unless ($exchange->res->code // 0) == $status;
	return $exchange->res->json;
}

answer(login => {}, 200, json => {email => $email, password => $password});
my $created = answer(createOrganization => {}, 201, json => {name => "Generated in Perl", currency => "USD"});
my $found = answer(listShareholdings => {organization => $created->{id}}, 200);
print "$created->{name} ", scalar @{$found->{data}}, "\n";
